import type { ToolAnnotations } from '@modelcontextprotocol/server';
import { z } from 'zod';

/** Of tools that only look: what they derive on the way can be made anew at any time. */
export const LOOKS: ToolAnnotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Names another project than the one that is worked in. */
export const PROJECT: z.ZodOptional<z.ZodString> = z
  .string()
  .min(1)
  .max(1000)
  .optional()
  .describe('Name, id or absolute folder of another project. Default: the project you work in.');
