import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, onTestFinished } from 'vitest'
import { make } from '#test/make.ts'
import { textEvent } from '#test/peers/channel.ts'
import { createDatabase, startProduct } from '#test/server.ts'
import { type Deed, deadlyText } from './deadly.ts'
import { lastOutput, query, run, startChild, stop } from './processes.ts'

/** Beside other tests. */
const START_MS = 120_000
const HARMLESS = 4
/** In company, and three times alone. */
const DEATHS = 4

/** Creates a company in a separate database, and a folder. */
export async function startCompany() {
  const databaseUrl = await createDatabase()
  const dataDir = mkdtempSync(join(tmpdir(), 'guiche-deaths-'))
  const product = await startProduct({}, databaseUrl)
  const m = make(product.platform)
  const tenantId = await m.tenant()
  const connectionId = await m.connection(tenantId, { type: 'test' })
  await product.close()
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const rows = <R>(text: string) => query(databaseUrl, async (client) => (await client.query(text)).rows as R[])
  return {
    rows,
    env: { DATABASE_URL: databaseUrl, DATA_DIR: dataDir, PEER_URL: '' },
    addJob: (deed: Deed) =>
      rows(
        `select graphile_worker.add_job('test:deed', '{"tenantId": ${tenantId}, "deed": "${deed}"}', max_attempts => 5)`,
      ),
    hear: (address: string, texts: readonly { from: string; body: string }[]) =>
      fetch(`${address}/test/hook`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          tenantId,
          connectionId,
          events: texts.map(({ from, body }) => textEvent({ from, body, id: `${from} ${body}` })),
        }),
      }),
    /** Returns the number of waiting events and jobs. */
    waiting: async () =>
      (
        await rows<{ n: number }>(
          `select (select count(*) from journal where processed_at is null)::int
            + (select count(*) from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
               where t.identifier = 'test:deed' and j.attempts < j.max_attempts)::int as n`,
        )
      )[0]!.n,
    /** Returns the events and jobs that are set aside. */
    aside: () =>
      rows<{ what: string; code: string }>(
        `select payload #>> '{message,body}' as what, error_code as code from journal where set_aside_at is not null
         union all select payload ->> 'deed', last_error from graphile_worker._private_jobs where flags ? 'aside'`,
      ),
  }
}

/**
 * Checks that one event or job that ends every process working on it is set aside after some deaths, alone, and that the
 * harmless ones are done.
 */
export async function checkDeaths(as: 'event' | 'job', deed: Deed, extra: Record<string, string> = {}): Promise<void> {
  const { env, rows, addJob, hear, waiting, aside } = await startCompany()
  const said: string[] = []
  const isOver = async () => (await waiting()) === 0
  if (as === 'job') for (const one of [deed, ...Array<Deed>(HARMLESS).fill('harmless')]) await addJob(one)
  else {
    const first = await startChild({ ...env, ...extra }, START_MS)
    const words = lastOutput(first.process)
    const gone = once(first.process, 'exit')
    onTestFinished(() => stop(first))
    const harmless = Array.from({ length: HARMLESS }, (_, n) => ({ from: `55119000000${n}`, body: 'olá' }))
    await hear(first.address!, [...harmless, { from: '5511900000009', body: deadlyText(deed) }]).catch(() => {})
    await gone
    said.push(words())
  }
  for (;;) {
    const child = run('child.ts', { ...env, ...extra })
    const words = lastOutput(child)
    onTestFinished(() => stop({ process: child }))
    while (child.exitCode === null && child.signalCode === null && !(await isOver())) await pause(50)
    if (await isOver()) break
    said.push(words())
    expect(said.length, said.join('\n')).toBeLessThanOrEqual(DEATHS)
  }
  expect(said).toHaveLength(DEATHS)
  const [event, job] = [
    { what: deadlyText(deed), code: 'ERR_PROCESS_DIED' },
    { what: deed, code: 'O processo terminou três vezes enquanto trabalhava só nesta tarefa.' },
  ]
  expect(await aside()).toEqual([as === 'job' ? job : event])
  if (as === 'event') expect(await rows("select from messages where body = 'olá'")).toHaveLength(HARMLESS)
  // The log names the work that ran when a process ended, unless its memory was full.
  if (deed !== 'memory')
    expect(said.at(-1)).toMatch(as === 'job' ? /"work":"job test:deed \d+"/ : /"work":"event [\w-]+ of company \d+"/)
}
