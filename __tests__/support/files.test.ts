import { spawn } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { publishFile } from '../../src/support/files';

let folder: string;
beforeEach(() => { folder = mkdtempSync(join(tmpdir(), 'files-')); });
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('publishFile', () => {
  test('makes the folder, writes UTF-8 and leaves nothing else behind', () => {
    publishFile(join(folder, 'a', 'b', 'x.json'), '日本語', { overwrite: false });
    expect(readFileSync(join(folder, 'a', 'b', 'x.json'), 'utf8')).toBe('日本語');
    expect(readdirSync(join(folder, 'a', 'b'))).toEqual(['x.json']);
  });

  test('never writes over a file unless told to', () => {
    const path = join(folder, 'x');
    writeFileSync(path, 'old');
    expect(() => publishFile(path, 'new', { overwrite: false })).toThrow(expect.objectContaining({ code: 'EEXIST' }));
    expect(readFileSync(path, 'utf8')).toBe('old');
    publishFile(path, 'new', { overwrite: true });
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(readdirSync(folder)).toEqual(['x']);
  });

  test('a file that is replaced keeps its permissions', () => {
    const path = join(folder, 'x');
    writeFileSync(path, 'old');
    chmodSync(path, 0o600);
    publishFile(path, 'new', { overwrite: true });
    expect((statSync(path).mode & 0o777).toString(8)).toBe(process.platform === 'win32' ? '666' : '600');
  });

  test('of two writers of one name exactly one wins, and what is there is whole', async () => {
    const script = `const fs=require('fs');const {publishFile}=require(${JSON.stringify(join(folder, 'files.js'))});let won=0;for(let i=0;i<100;i++){try{publishFile(${JSON.stringify(join(folder, 'out'))}+'/'+i,process.argv[1].repeat(5000),{overwrite:false});won++}catch(e){if(e.code!=='EEXIST')throw e}}console.log(won)`;
    const source = readFileSync(join(__dirname, '../../src/support/files.ts'), 'utf8');
    const { transpileModule, ModuleKind } = require('typescript') as typeof import('typescript');
    writeFileSync(join(folder, 'files.js'), transpileModule(source, { compilerOptions: { module: ModuleKind.CommonJS } }).outputText);
    const won = await Promise.all(['a', 'b'].map((name) => new Promise<number>((done, fail) => {
      const child = spawn(process.execPath, ['-e', script, name]);
      let output = '';
      child.stdout.on('data', (chunk) => { output += String(chunk); });
      child.on('close', (code) => (code === 0 ? done(Number(output)) : fail(new Error(`exit ${code}`))));
    })));
    expect(won.reduce((sum, each) => sum + each, 0)).toBe(100);
    const files = readdirSync(join(folder, 'out'));
    expect(files).toHaveLength(100);
    for (const file of files) expect(readFileSync(join(folder, 'out', file), 'utf8')).toMatch(/^(a{5000}|b{5000})$/);
  });
});
