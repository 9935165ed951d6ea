export function drawDiagram(diagram: unknown, theme: string): string;
