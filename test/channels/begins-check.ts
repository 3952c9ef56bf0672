import { expect } from 'vitest'
import { messageTemplates } from '#features/message-templates/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { make } from '#test/make.ts'
import { call } from '#test/server.ts'
import type { World } from './world.ts'

/** Checks that we can begin a conversation; outside of the window, with a template. */
export async function beginsCheck({ product, tenantId, token, end }: World): Promise<void> {
  const contactId = await make(product.platform).contact(tenantId)
  const body = { contactId, whatsappId: end.connectionId, isActiveDemand: true }
  const begin = async (more: object) =>
    (await call(product, tickets.create, token, { body: { ...body, ...more } })).status
  const [first] = end.knows?.templates ?? []
  if (first) {
    // Outside of the window, a conversation begins with a template.
    expect(await begin({})).toBe(422)
    const synced = await call(product, messageTemplates.sync, token, { body: { whatsappId: end.connectionId } })
    expect(synced).toMatchObject({ status: 200, body: { count: end.knows!.templates!.length } })
  }
  const template = first && { name: first.name, language: first.language }
  expect(await begin(template ? { template } : {})).toBe(200)
}
