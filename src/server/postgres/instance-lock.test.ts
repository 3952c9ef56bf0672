import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { lockInstance } from './instance-lock.ts'

test('the second of two is refused with a sentence that names the folder and the process; the next one after release is not', () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-lock-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const release = lockInstance(dataDir)
  expect(() => lockInstance(dataDir)).toThrow(`O Guichê já está rodando na pasta ${dataDir} (processo ${process.pid})`)
  release()
  lockInstance(dataDir)()
})
