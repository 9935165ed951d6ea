export { type HookActivity, readHookActivity } from './activity.ts';
export { answerHook, type HookMachine, type HookRequest } from './answer-hook.ts';
export { HOOKED_AGENTS } from './hooked-agents.ts';
export { type HookHttpOptions, handleHookRequest, hasToken, isLocalRequest } from './http-handler.ts';
export { readShimTarget, type ShimTarget, shimPath, shimText, writeShim } from './shim.ts';
