import { execFile } from 'node:child_process'
import { expect, test } from 'vitest'

const program = `
  import { setTimeout as pause } from 'node:timers/promises'
  import { atWork } from '#server/at-work.ts'
  import { handleUncaught, rejections } from '#server/uncaught.ts'
  const say = (...words) => console.log(...words)
  const log = (about) => say(about.err.message, about.work, about.isKnown)
  handleUncaught({ error: log, fatal: log }, async () => say('given up'))
  const lose = async (ms, what) => {
    await pause(ms)
    throw new Error(what)
  }
  const work = (name, ms) => atWork(name, async () => {
    void lose(ms, 'lost by ' + name)
    await pause(50)
    return 'done'
  })
  say(await work('one', 10).catch((error) => 'failed: ' + error.message))
  say(await work('other', 100))
  void lose(0, 'lost by nobody')
  await pause(100)
  say(JSON.stringify(rejections))
  atWork('last', () => setTimeout(() => { throw new Error('thrown') }))
`

test('a rejection that nobody awaits fails the work to which it belongs, or none; after an error that nobody caught what is owned is given up', async () => {
  const { code, said } = await new Promise<{ code: unknown; said: string }>((resolve) =>
    execFile(process.execPath, ['--input-type=module', '-e', program], { cwd: process.cwd() }, (error, said) =>
      resolve({ code: error?.code, said }),
    ),
  )
  expect(said.trim().split('\n')).toEqual([
    'lost by one one true',
    'failed: lost by one',
    'done',
    'lost by nobody null false',
    'lost by other other false',
    '{"known":1,"unknown":2}',
    'thrown last undefined',
    'given up',
  ])
  expect(code).toBe(1)
})
