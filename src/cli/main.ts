#!/usr/bin/env node
// The command `inboard`.
export {};
