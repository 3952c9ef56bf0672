import { setTimeout } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { actEvent, actingCompany } from '#test/acting-company.ts'
import { receiptEvent, textEvent } from '#test/peers/channel.ts'
import { withProduct } from '#test/server.ts'
import { ingestIdle } from './server/ingest/ingest.ts'
import { receive } from './server/ingest/journal.ts'

/** Work between the reading of a message's receipts and the commit that records it as sent. */
let meanwhile: (() => Promise<void>) | null = null
const product = withProduct({
  checkpoint: async (name) => {
    if (name !== 'message sent') return
    const come = meanwhile
    meanwhile = null
    await come?.()
  },
})

test.each([
  ['alone', []],
  // Needs the ticket, which is locked meanwhile.
  ['beside a message', ['Chegou']],
])('what is said of a message while it is being noted as sent is applied: %s', async (_, bodies) => {
  const on = await actingCompany(product())
  const { ticketId, from } = await on.conversation()
  on.channel().behave(async () => ({ providerId: 'quick' }))
  let coming: Promise<unknown> = Promise.resolve()
  meanwhile = async () => {
    const said = [receiptEvent(from, 'quick', 'delivered'), actEvent(from, 'quick', { type: 'reaction', emoji: '👏' })]
    const events = [...said, ...bodies.map((body) => textEvent({ from, id: body, body }))]
    coming = receive(product().platform, { tenantId: on.tenantId, connectionId: on.connectionId }, events)
    // Long enough to process them if nothing were locked; writers do not wait for them.
    await setTimeout(300)
  }
  const id = await on.say(ticketId, 'Pronto')
  await coming
  await ingestIdle(product().platform)
  expect(await on.rowOf(id)).toMatchObject({ status: 'delivered', reaction: '👏' })
  for (const body of bodies) expect(await on.byProvider(body)).toMatchObject({ body })
})
