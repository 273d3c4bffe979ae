// Bundles each page of src into a folder of its own: node build.mjs OUT gives OUT/NAME/index.html, which runs offline.
// What is newer than all that it is made of is left as it is.
import { build } from 'esbuild';
import { readdirSync, writeFileSync, existsSync, mkdirSync, statSync } from 'node:fs';

const out = process.argv[2];
const asData = Object.fromEntries(['png', 'svg', 'woff', 'woff2', 'eot', 'ttf', 'gif', 'webp'].map(ext => ['.' + ext, 'dataurl']));
const changed = file => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
const newest = Math.max(...['build.mjs', 'package-lock.json', 'src/common.js'].map(changed));

for (const file of readdirSync('src')) {
  if (file === 'common.js') continue;
  const name = file.replace(/\.jsx?$/, ''), dir = `${out}/${name}`;
  if (changed(dir + '/index.html') > Math.max(newest, changed('src/' + file))) continue;
  mkdirSync(dir, { recursive: true });
  await build({
    entryPoints: ['src/' + file], outfile: dir + '/app.js', bundle: true, format: 'iife', minify: true, logLevel: 'error',
    define: { 'process.env': '{}', 'process.env.NODE_ENV': '"production"' }, loader: asData,
  });
  const style = existsSync(dir + '/app.css') ? '<link rel=stylesheet href=app.css>' : '';
  writeFileSync(dir + '/index.html', `<!doctype html><html lang=en><meta charset=utf-8><title>${name}</title>${style}<body><div id=root></div><script src=app.js></script>`);
}
