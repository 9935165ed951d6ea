export { HOOKED_AGENTS } from '../agents/registry.ts';
export { answerHook, type HookEnvironment, type HookRequest } from './answer.ts';
export { type HookActivity, readHookActivity } from './hook-log.ts';
export { type HookHttpOptions, handleHookRequest, hasToken, isLocalRequest } from './http-handler.ts';
export { readShimTarget, type ShimTarget, shimPath, shimText, writeShim } from './shim.ts';
