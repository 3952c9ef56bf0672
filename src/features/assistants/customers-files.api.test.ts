import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { ledgerOf } from '#features/ledger/server/messages/ledger.ts'
import { assistantCompany } from '#test/assistant-company.ts'
import { textEvent } from '#test/peers/channel.ts'
import { until } from '#test/until.ts'

const c = assistantCompany()
const { product, connect, receiveEvents, write, sent, turns } = c

/** Lets the customer send a file; returns its id. */
async function give(name: string, type: 'audio' | 'document', bytes: Uint8Array): Promise<string> {
  const { store } = ledgerOf(product().platform, c.tenantId, c.connection)
  const stored = await store({ name, bytes, maxBytes: 30_000_000 })
  const event = textEvent({ from: c.from, body: '' })
  await receiveEvents([{ ...event, message: { ...event.message, type, fileId: stored!.id } }])
  return stored!.id
}
const voice = () => readFileSync('test/media/tone.mp3')

it('reaches Typebot, which asked for it, whatever its kind', async () => {
  c.peer.typebot.state.input = { id: 'i7', type: 'file input', options: { isMultipleAllowed: true } }
  await connect('typebot', { waitSeconds: 1 })
  await write('Oi')
  await until(() => sent().length > 0)
  const contract = Buffer.from('Contrato\n'.repeat(100))
  await give('voz.mp3', 'audio', voice())
  await give('contrato.txt', 'document', contract)
  await until(() => sent().length > 1)
  const files = [...c.peer.typebot.stored.values()]
  expect(files.map(({ bytes }) => bytes.length)).toEqual([voice().length, contract.length])
  expect(sent()[1]).toBe(`Resposta a: ${[...c.peer.typebot.stored.keys()].join(', ')}`)
})

it('is asked for again where it is too large, and people attend where the storage refuses it', async () => {
  c.peer.typebot.state.input = { id: 'i7', type: 'file input' }
  c.peer.typebot.state.most = 1
  await connect('typebot')
  await write('Oi')
  await until(() => sent().length > 0)
  await give('planta.txt', 'document', Buffer.alloc(2 * 1024 * 1024, 'x'))
  await until(() => sent().length > 1)
  expect(sent()[1]).toMatch(/^O arquivo é grande demais/)
  c.peer.typebot.state.refusal = 403
  await give('voz.mp3', 'audio', voice())
  await until(async () => (await turns()).at(-1)?.status === 'failed')
  expect((await turns()).at(-1)?.error).toContain('o arquivo não foi aceito')
  expect((await c.theTicket()).queue_id).toBe(c.queue)
  c.peer.typebot.state.refusal = 0
  await give('voz.mp3', 'audio', voice())
  await until(() => sent().length > 3)
  // What the failed turn had read is read again; the bot goes on with its next question.
  expect(sent().slice(2, 4)).toEqual([
    expect.stringContaining('um arquivo só'),
    expect.stringMatching(/a: http.*voz\.mp3$/),
  ])
})

it('is waited for while it is being downloaded', async () => {
  await connect('gemini', { waitSeconds: 1 })
  const fileId = await give('voz.mp3', 'audio', voice())
  const change = (row: { file_id: string | null; data: string | null }) =>
    product().platform.db.asPlatform((db) =>
      db
        .updateTable('messages')
        .set(row)
        .where('tenant_id', '=', c.tenantId)
        .where('media_type', '=', 'audio')
        .execute(),
    )
  await c.arrived(1)
  await change({
    file_id: null,
    data: JSON.stringify({ remote: { state: 'coming', name: '', mime: null, size: null } }),
  })
  await setTimeout(2000)
  expect([c.peer.asked(), await turns()]).toMatchObject([[], [{ status: 'waiting' }]])
  await change({ file_id: fileId, data: null })
  await until(() => sent().length > 0)
  expect(JSON.stringify(c.peer.asked()[0]!.body)).toContain('"mimeType":"audio/mpeg"')
})
