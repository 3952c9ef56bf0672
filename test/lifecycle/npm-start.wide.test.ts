import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { serversIn, signal } from '#server/postgres/processes.ts'

const root = join(import.meta.dirname, '..', '..')
let dataDir: string

beforeAll(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'guiche-npm-'))
})
afterAll(() => rmSync(dataDir, { recursive: true }))

/** Runs `npm start` until it answers: the process, and what it printed. */
async function npmStart(): Promise<{ npm: ChildProcess; output: () => string }> {
  const env = { ...process.env, PORT: '0', DATA_DIR: dataDir }
  const npm = spawn('npm', ['start'], { cwd: root, env, detached: true })
  onTestFinished(() => {
    if (npm.pid) signal(-npm.pid, 'SIGKILL')
    for (const pid of serversIn(join(dataDir, 'postgres'))) signal(pid, 'SIGKILL')
  })
  let output = ''
  const address = new Promise<string>((resolve, reject) => {
    npm.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const found = /no ar: (http:\S+)/.exec(output)?.[1]
      if (found) resolve(found)
    })
    npm.once('exit', () => reject(new Error(output)))
  })
  expect((await fetch(`${await address}/ready`)).status).toBe(200)
  return { npm, output: () => output }
}

test('npm start passes SIGTERM on, drains, and leaves no PostgreSQL behind', async () => {
  const { npm } = await npmStart()
  const ended = once(npm, 'exit')
  npm.kill('SIGTERM')
  expect(await ended).toEqual([0, null])
  expect(serversIn(join(dataDir, 'postgres'))).toEqual([])
})

test('a start without changes installs and builds nothing', async () => {
  for (let round = 1; round <= 2; round++) {
    const { npm, output } = await npmStart()
    expect(output()).not.toMatch(/Instalando|Construindo/)
    const ended = once(npm, 'exit')
    npm.kill('SIGTERM')
    await ended
  }
})
