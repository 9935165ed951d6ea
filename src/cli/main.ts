#!/usr/bin/env node
import { runCli } from './run.ts';

// No top-level await: the build makes one CommonJS file of it, which starts fastest.
void runCli(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
