export { briefProject, type ProjectBriefing } from './brief-project.ts';
export { type BriefingOptions, briefing } from './briefing.ts';
export { personLine } from './person-line.ts';
