// Makes one file of the page. The server itself needs no build.
import { defineConfig } from 'rolldown';

export default defineConfig({
  input: 'page/main.tsx',
  platform: 'browser',
  logLevel: 'warn',
  // React libraries mark files for servers with "use client", which means nothing here.
  checks: { moduleLevelDirective: false },
  transform: { define: { 'process.env.NODE_ENV': '"production"' }, jsx: { runtime: 'automatic' } },
  output: { file: 'dist/page.js', format: 'esm', minify: true },
});
