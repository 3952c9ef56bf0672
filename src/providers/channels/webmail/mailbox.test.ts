import { afterEach, expect, test } from 'vitest'
import { letter, mailboxForm } from '#test/channels/mail-end.ts'
import { startImap } from '#test/peers/imap/server.ts'
import { until } from '#test/until.ts'
import type { ChannelTools, Link, ProviderEvent } from '../port.ts'
import { webmailAdapter } from './adapter.ts'

const MB = 1_000_000
const ends: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(ends.splice(0).map((end) => end())))

/** Opens a mailbox; the look-up of known mails resolves with `answer`. */
async function opened(answer: Promise<void>) {
  const imap = await startImap({ user: 'contato@loja.example', password: 'segredo' })
  const tools = {
    ...{ addressOf: async (host) => host, isNear: () => true, now: () => new Date(), log: { warn() {} } },
  } as Partial<ChannelTools> as ChannelTools
  const adapter = webmailAdapter(mailboxForm({ imap, smtp: { port: 1 } }), tools)
  const said: string[] = []
  const is = { takenApart: false, connected: false }
  const link = {
    state: { get: async () => new Map(), clear: async () => {} },
    status: async () => void Object.assign(is, { connected: true }),
    caughtUp: async () => {},
    async emit(events: readonly ProviderEvent[]) {
      said.push(...events.flatMap((event) => ('message' in event ? [event.message.body] : [])))
    },
    ledger: {
      async known() {
        is.takenApart = true
        await answer
        return []
      },
      unanswered: async () => [],
    },
  } as unknown as Link
  const life = adapter.open!(link).catch(() => {})
  ends.push(async () => {
    await adapter.close!()
    await life
    await imap.close()
  })
  await until(() => imap.sessions().idle === 1)
  const deliver = (text: string, claims?: number) =>
    void Object.assign(imap.deliver(letter(text)), claims === undefined ? {} : { claims })
  return { deliver, said, is }
}

test('of large mails only so many bytes are taken apart at once, over all mailboxes; small ones wait for nobody', async () => {
  const large = Promise.withResolvers<void>()
  const boxes = await Promise.all([1, 2, 3, 4].map(() => opened(large.promise)))
  for (const [n, { deliver }] of boxes.entries()) deliver(`Grande ${n}`, 30 * MB)
  const begun = () => boxes.filter(({ is }) => is.takenApart).length
  await until(() => begun() === 2)
  const small = await opened(Promise.resolve())
  small.deliver('Pequeno')
  await until(() => small.said.includes('Pequeno'))
  // 60 of 64 MB.
  expect(begun()).toBe(2)
  large.resolve()
  await until(() => boxes.every(({ said }) => said.length === 1))
  expect(boxes.flatMap(({ said }) => said)).toEqual(['Grande 0', 'Grande 1', 'Grande 2', 'Grande 3'])
})
