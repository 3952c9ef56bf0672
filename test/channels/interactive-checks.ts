import { expect } from 'vitest'
import { formOf, frameOf, type InteractiveLimits, linkOf, listOf, rowsOf } from '#domain/messages/interactive.ts'
import { messages } from '#features/messages/contract.ts'
import type { Arrived } from './contact-end.ts'
import { arrivesSpecial, patient, refusedAs } from './talk.ts'
import type { World } from './world.ts'

const full = (text: string, length: number) => text.padEnd(length, 'x')
const FRAME = { header: full('Título', 60), footer: full('Rodapé', 60) }
const bodyIn = ({ config }: World) => full('Escolha', Math.min(1024, config.capabilities.maxTextLength))

const sends = (world: World, form: object): Promise<Arrived> =>
  arrivesSpecial(world, messages.buttons, { body: { ticketId: world.ticketId, body: bodyIn(world), ...form } })
const refused = async (world: World, form: object) =>
  expect(
    await refusedAs(world, messages.buttons, { body: { ticketId: world.ticketId, body: bodyIn(world), ...form } }),
  ).toBe('ERR_INTERACTIVE_REFUSED')

/** Presses the button with this id twice; returns the stored replies (expected: one). */
export async function pressed(world: World, arrived: Arrived, buttonId: string) {
  const of = (db: Parameters<Parameters<typeof world.product.platform.db.read>[1]>[0]) =>
    db.selectFrom('messages').selectAll()
  const { read } = world.product.platform.db
  const asked = await read(world.tenantId, (db) =>
    of(db).where('provider_id', '=', arrived.id).executeTakeFirstOrThrow(),
  )
  const rows = () =>
    read(world.tenantId, (db) =>
      of(db).where('media_type', '=', 'interactive_reply').where('quoted_id', '=', asked.id).execute(),
    )
  for (let twice = 0; twice < 2; twice++)
    await world.end.act!({ id: asked.id, providerId: arrived.id }, { act: 'press', buttonId })
  await patient(world, async () => (await rows()).length > 0)
  return rows()
}

/** Checks that a list arrives with the maximum of rows and lengths, and that a choice is recorded once. */
export async function listCheck(world: World, limits: InteractiveLimits['list']): Promise<void> {
  const { rows: max, title, description, button, section } = limits!
  const row = (n: number) => ({ title: full(`${n}.`, title), description: full(`${n}:`, description) })
  const all = Array.from({ length: max }, (_, n) => row(n))
  const sections = [
    { title: full('Um', section), rows: all.slice(0, 4) },
    { title: full('Dois', section), rows: all.slice(4) },
  ]
  const form = { type: 'list', ...FRAME, list: { button: full('Ver', button), sections } }
  const arrived = await sends(world, form)
  expect([arrived.body, frameOf(arrived.data)]).toEqual([bodyIn(world), FRAME])
  const list = listOf(arrived.data)!
  expect(list.button).toBe(form.list.button)
  expect(list.sections.map((one) => one.title)).toEqual(sections.map((one) => one.title))
  expect(rowsOf(list)).toEqual(all.map((one) => expect.objectContaining(one)))
  const chosen = rowsOf(list)[5]!
  expect(await pressed(world, arrived, chosen.id)).toMatchObject([
    { body: chosen.title, data: { buttonId: chosen.id } },
  ])
  const more = [{ ...sections[0]!, rows: [...all, row(max)] }]
  await refused(world, { ...form, list: { ...form.list, sections: more } })
  await refused(world, { ...form, list: { ...form.list, button: full('Ver', button + 1) } })
  await refused(world, { ...form, list: { ...form.list, sections: [{ rows: [{ title: full('1', title + 1) }] }] } })
}

/** A button arrives that leads to a page. */
export async function linkCheck(world: World, limits: InteractiveLimits['link']): Promise<void> {
  const link = { text: full('Abrir', limits!.chars), url: 'https://loja.example/p?a=1' }
  const arrived = await sends(world, { type: 'cta_url', ...FRAME, link })
  expect([arrived.body, frameOf(arrived.data), linkOf(arrived.data)]).toEqual([bodyIn(world), FRAME, link])
  await refused(world, { type: 'cta_url', link: { ...link, text: `${link.text}x` } })
}

/** A button arrives that opens a form of the provider's. */
export async function formCheck(world: World, limits: InteractiveLimits['form']): Promise<void> {
  const form = { text: full('Preencher', limits!.chars), formId: '1234567890' }
  const arrived = await sends(world, { type: 'form', ...FRAME, form })
  expect([arrived.body, frameOf(arrived.data), formOf(arrived.data)]).toEqual([bodyIn(world), FRAME, form])
  await refused(world, { type: 'form', form: { ...form, text: `${form.text}x` } })
  await refused(world, { type: 'form', form: { ...form, text: 'Vem 🎉' } })
}

/** The contact is asked for their place. */
export async function locationRequestCheck(world: World): Promise<void> {
  const arrived = await sends(world, { type: 'location_request' })
  expect([arrived.body, arrived.asksLocation]).toEqual([bodyIn(world), true])
  await refused(world, { type: 'location_request', body: `${bodyIn(world)}x` })
}
