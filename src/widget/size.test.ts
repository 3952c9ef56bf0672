import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build } from 'vite'
import { expect, test } from 'vitest'

const KB = 1024

test('loader and conversation together weigh at most 30 kB on the wire, the loader at most 10', async () => {
  const outDir = await mkdtemp(join(tmpdir(), 'guiche-widget-'))
  try {
    await build({ configFile: 'vite.widget.config.ts', logLevel: 'error', build: { outDir, emptyOutDir: true } })
    const names = (await readdir(outDir, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile() && !/\.(br|gz)$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
    const sizes = await Promise.all(names.map(async (name) => gzipSync(await readFile(name), { level: 9 }).length))
    const loader = sizes[names.indexOf(join(outDir, 'guiche.js'))]
    expect(names.some((name) => name.endsWith('.css')) && names.some((name) => name.endsWith('frame.html'))).toBe(true)
    expect(loader).toBeLessThanOrEqual(10 * KB)
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(30 * KB)
  } finally {
    await rm(outDir, { recursive: true })
  }
})
