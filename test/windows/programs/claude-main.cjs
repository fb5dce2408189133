// What the native claude.exe of these cases does: it runs the script that a variable names, as a program of its own.
'use strict';
const { createRequire } = require('node:module');

const script = process.env.INBOARD_WINDOWS_SCRIPT;
createRequire(script)(script);
