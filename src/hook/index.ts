export { HOOKED_AGENTS } from '../agents/registry.ts';
export { type HookEnvironment, type HookRequest, handleHook } from './handle-hook.ts';
export { type HookActivity, readHookActivity } from './hook-log.ts';
export { type HookHttpOptions, handleHookRequest, hasToken, isLocalRequest } from './http-handler.ts';
export { readShimTarget, type ShimTarget, shimPath, shimText, writeShim } from './shim.ts';
