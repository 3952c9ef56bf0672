import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { buttonsOf } from '#domain/messages/data.ts'
import { FILE_KINDS, type FileKind } from '#domain/messages/file-limits.ts'
import { adapterOf } from '#features/connections/server/adapters.ts'
import { recoverSends } from '#features/ledger/server/outbox/wake.ts'
import { messages } from '#features/messages/contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import type { Operation } from '#kit/contract.ts'
import type { ChannelCapabilities } from '#providers/channels/config.ts'
import { type ChannelConfig, noCapabilities } from '#providers/channels/configs.ts'
import type { ChannelAction, ChannelQuestions } from '#providers/channels/port.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { breadth } from '#test/setup/breadth.ts'
import { until } from '#test/until.ts'
import { adCheck } from './ad-check.ts'
import { beginsCheck } from './begins-check.ts'
import { breakable, broken, type Flag, openedAdapter } from './broken.ts'
import { callCheck } from './call-check.ts'
import { checkHistory } from './check-history.ts'
import type { ContactAct, OpenContactEnd, RecordedFile } from './contact-end.ts'
import { groupCheck, groupToolsCheck, mentionCheck } from './group-checks.ts'
import { formCheck, linkCheck, listCheck, locationRequestCheck, pressed } from './interactive-checks.ts'
import { linkCheck as deviceCheck } from './link-check.ts'
import { onceCheck, stickerCheck, voiceCheck } from './media-checks.ts'
import { pictureCheck } from './picture-check.ts'
import { pollCheck } from './poll-check.ts'
import { optOutCheck, partsCheck } from './sms-checks.ts'
import { answer, arrives, arrivesSpecial, backdate, patient, received, refusedAs, rowOf } from './talk.ts'
import { threadsCheck } from './threads-check.ts'
import { commentCheck, humanAgentCheck } from './window-checks.ts'
import { recordedIn, type World, worldOf } from './world.ts'

const adapter = async ({ product, tenantId, end, config }: World) =>
  openedAdapter(config.id) ?? (await adapterOf(product.platform, tenantId, end.connectionId))

/** Performs a message action of the team; expects it at the contact, and no change when it is repeated. */
async function act(world: World, id: string, providerId: string, action: MessageAction): Promise<void> {
  const { product, token, ticketId, tenantId, conversationKey, end } = world
  const body = {
    edit: { messageId: id, body: 'body' in action ? action.body : '' },
    revoke: { id },
    react: { messageId: id, ticketId, reaction: ('emoji' in action && action.emoji) || '' },
  }
  const operation = { edit: messages.edit, revoke: messages.remove, react: messages.react }[action.type]
  const reply = await call(product, operation, token, { body: body[action.type] })
  expect([reply.status, reply.body]).toMatchObject([200, {}])
  await patient(world, async () => (await openActs(world, id)) === 0)
  const { act: run } = await adapter(world)
  await run!({ ...action, tenantId, connectionId: end.connectionId, conversationKey, providerId } as ChannelAction)
}
type MessageAction = { type: 'edit'; body: string } | { type: 'revoke' } | { type: 'react'; emoji: string | null }

const openActs = async ({ product, tenantId }: World, id: string): Promise<number> =>
  (
    await product.platform.db.read(tenantId, (db) =>
      db
        .selectFrom('message_acts')
        .select('id')
        .where('message_id', '=', id)
        .where('status', 'in', ['pending', 'queued'])
        .execute(),
    )
  ).length

/** Performs a message action of the contact, if their end supports it; returns the row once `isKnown` accepts it. */
async function theyAct(
  world: World,
  message: { id: string; provider_id: string | null },
  what: ContactAct,
  isKnown: (row: Awaited<ReturnType<typeof rowOf>>) => boolean,
): Promise<void> {
  if (!world.end.act || world.end.untold?.includes(what.act)) return
  await world.end.act({ id: message.id, providerId: message.provider_id! }, what)
  await patient(world, async () => isKnown(await rowOf(world, message.id)))
}

const CARD = { fullName: 'Padaria Estrela', phoneNumber: '+55 11 98888-7777' }
const LOCATION = { latitude: -23.5505, longitude: -46.6333, name: 'Sé' }

async function ask<Q extends keyof ChannelQuestions>(world: World, question: Q, about: ChannelQuestions[Q]['about']) {
  return (await adapter(world)).ask!(question, about)
}

const GIF: RecordedFile = { name: 'ponto.gif', mime: 'image/gif', base64: 'R0lGODlhAQABAAAAACwAAAAAAQABAAACADs=' }

/** Returns the smallest recorded file of a kind. */
const fileOf = ({ fixtures }: World, kind: FileKind): RecordedFile => fixtures[kind]!.file!

/**
 * Test of each capability, which fails if the adapter does not support it. A capability without a test (null) cannot be
 * claimed: the first channel that has it adds the test.
 */
const checks: { readonly [F in Flag]: ((world: World, value: ChannelCapabilities[F]) => Promise<void>) | null } = {
  async maxTextLength(world, most) {
    const longest = (world.config.capabilities.maxTextBytes === null ? 'ã' : 'a').repeat(most - 1)
    expect((await arrives(world, { body: `${longest}z` })).body).toBe(`${longest}z`)
    expect((await answer(world, { body: `${longest}zz` })).status).toBeOneOf([400, 422])
  },
  async maxTextBytes(world, most) {
    const fits = 'ã'.repeat(most! / 2)
    expect((await arrives(world, { body: fits })).body).toBe(fits)
    expect((await answer(world, { body: `${fits}z` })).body).toMatchObject({ error: 'ERR_MESSAGE_TOO_LONG' })
  },
  smsParts: partsCheck,
  optOut: optOutCheck,
  async files(world, limits) {
    for (const [kind, { maxBytes, mimes, caption }] of Object.entries(limits)) {
      if (kind === 'sticker') continue
      const file = fileOf(world, kind as FileKind)
      const body = caption === false ? '' : `Veja: ${kind}`
      const arrived = await arrives(world, { body, file })
      expect(arrived).toMatchObject({ body, file: { name: arrived.file?.name === null ? null : file.name } })
      if (caption === false)
        expect(await answer(world, { body: 'Ouça', file })).toMatchObject({
          ...{ status: 422, body: { error: 'ERR_CAPTION_NOT_CARRIED' } },
        })
      expect(Buffer.from(arrived.file!.bytes).equals(Buffer.from(file.base64, 'base64')), kind).toBe(true)
      if (maxBytes < 1_000_000) {
        const large = Buffer.concat([Buffer.from(file.base64, 'base64'), Buffer.alloc(maxBytes)]).toString('base64')
        const reply = await answer(world, { file: { ...file, base64: large } })
        expect([reply.status, reply.body]).toMatchObject([422, { error: 'ERR_FILE_NOT_CARRIED' }])
      }
      if (mimes) expect(mimes).toContain(file.mime)
      if (kind === 'image' && mimes && !mimes.includes(GIF.mime)) {
        const reply = await answer(world, { file: GIF })
        expect([reply.status, reply.body]).toMatchObject([
          422,
          { error: 'ERR_FILE_NOT_CARRIED', details: { reason: expect.stringContaining('Converta o arquivo') } },
        ])
      }
    }
    const other = { name: 'nota.txt', mime: 'text/plain', base64: Buffer.from('Nota').toString('base64') }
    if (!limits.document)
      expect((await answer(world, { file: other })).body).toMatchObject({ error: 'ERR_FILE_NOT_CARRIED' })
  },
  async quote(world) {
    const theirs = await received(world, world.fixtures['text']!)
    // Named by the channel, or, where the far end is our own ledger, by us.
    const { quotes } = await arrives(world, { body: 'Sobre isto', quotes: theirs.id })
    expect([theirs.id, theirs.provider_id]).toContain(quotes)
    const ours = await arrives(world, { body: 'Pergunta' })
    expect(await received(world, world.fixtures['text']!, ours.id)).toMatchObject({ quoted_id: ours.messageId })
  },
  async forward(world) {
    const { id } = await arrives(world, { body: 'Passe adiante' }).then(({ messageId }) => ({ id: messageId }))
    const { product, tenantId, end } = world
    const { contact_id: contact } = await rowOf(world, id)
    const body = { messages: [id], contact, whatsappId: end.connectionId }
    expect(
      await product.platform.db.read(tenantId, (db) => db.selectFrom('tickets').select('id').execute()),
    ).toHaveLength(1)
    // The message is marked as forwarded, if the channel supports that.
    const { body: text, isForwarded = true } = await arrivesSpecial(world, messages.forward, { body })
    expect([text, isForwarded]).toEqual(['Passe adiante', true])
  },
  async contact(world) {
    const { ticketId } = world
    const { body, data } = await arrivesSpecial(world, messages.card, { params: { ticketId }, body: { contact: CARD } })
    // As a card, or as text.
    if (data === undefined) expect(body).toBe('Padaria Estrela: +55 11 98888-7777')
    else expect(data).toEqual(CARD)
  },
  async location(world) {
    const { ticketId } = world
    const { body, data } = await arrivesSpecial(world, messages.location, {
      params: { ticketId },
      body: { location: LOCATION },
    })
    if (data === undefined) expect(body).toMatch(/^Sé\n.*mlat=-23.5505&mlon=-46.6333/)
    else expect(data).toEqual(LOCATION)
  },
  async buttons(world, limits) {
    const { ticketId } = world
    const texts = Array.from({ length: limits!.max }, (_, n) => `${n}`.padEnd(limits!.chars, 'x'))
    const buttons = texts.map((text) => ({ text }))
    const form = { ticketId, body: 'Qual?', buttons }
    const arrived = await arrivesSpecial(world, messages.buttons, { body: form })
    expect(buttonsOf(arrived.data)?.buttons.map(({ text }) => text)).toEqual(texts)
    const button = buttonsOf(arrived.data)!.buttons[1]!
    const told = { body: button.text, data: { buttonId: button.id } }
    expect(await pressed(world, arrived, button.id)).toMatchObject([told])
  },
  list: listCheck,
  link: linkCheck,
  form: formCheck,
  locationRequest: locationRequestCheck,
  poll: (world, limits) => pollCheck(world, limits, arrivesSpecial),
  viewOnce: (world, kinds) => onceCheck(world, kinds, arrives),
  async react(world) {
    const { id, messageId } = await arrives(world, { body: 'Gostou?' })
    await act(world, messageId, id, { type: 'react', emoji: '👍' })
    expect(await world.end.changes!(id)).toMatchObject({ reaction: '👍' })
    await act(world, messageId, id, { type: 'react', emoji: null })
    expect(await world.end.changes!(id)).toMatchObject({ reaction: null })
    await theyAct(
      world,
      { id: messageId, provider_id: id },
      { act: 'react', reaction: '❤️' },
      (row) => row.reaction === '❤️',
    )
    await theyAct(
      world,
      { id: messageId, provider_id: id },
      { act: 'react', reaction: '' },
      (row) => row.reaction === null,
    )
  },
  async editMinutes(world, minutes) {
    const { id, messageId } = await arrives(world, { body: 'Antes' })
    await act(world, messageId, id, { type: 'edit', body: 'Depois' })
    expect(await world.end.changes!(id)).toMatchObject({ body: 'Depois' })
    expect(await rowOf(world, messageId)).toMatchObject({ body: 'Depois', edition: 'Antes' })
    await backdate(world, messageId, minutes! * 60_000 + 60_000)
    expect(await refusedAs(world, messages.edit, { body: { messageId, body: 'Tarde' } })).toBe('ERR_EDIT_TOO_LATE')
    const theirs = await received(world, world.fixtures['text']!)
    await theyAct(world, theirs, { act: 'edit', body: 'Corrigido' }, (row) => row.body === 'Corrigido')
  },
  async revokeHours(world, hours) {
    const { id, messageId } = await arrives(world, { body: 'Engano' })
    await act(world, messageId, id, { type: 'revoke' })
    expect(await world.end.changes!(id)).toMatchObject({ body: null })
    const { messageId: old } = await arrives(world, { body: 'De ontem' })
    await backdate(world, old, hours! * 3_600_000 + 60_000)
    expect(await refusedAs(world, messages.remove, { body: { id: old } })).toBe('ERR_DELETE_WAPP_MSG')
    const theirs = await received(world, world.fixtures['text']!)
    await theyAct(world, theirs, { act: 'revoke' }, (row) => row.is_deleted)
  },
  groups: groupCheck,
  mentions: mentionCheck,
  groupTools: (world) => groupToolsCheck(world, ask),
  async presence(world) {
    const { product, token, ticketId } = world
    const typing = () =>
      call(product, messages.typing, token, { params: { id: ticketId }, body: { state: 'composing' } as never })
    expect(world.end.seesTyping()).toBe(false)
    expect((await typing()).status).toBe(200)
    await until(() => world.end.seesTyping(), world.patienceMs)
  },
  calls: callCheck,
  async receipts(world, statuses) {
    for (const status of statuses) {
      const file = status === 'played' ? fileOf(world, 'audio') : undefined
      const { id, messageId } = await arrives(world, file ? { file } : { body: 'Chegou?' })
      const has = async (one: string) => (await rowOf(world, messageId)).status === one
      if (status !== 'delivered' && statuses.includes('delivered')) {
        await world.end.confirm('delivered', id)
        await until(() => has('delivered'), world.patienceMs)
      }
      await world.end.confirm(status, id)
      await until(() => has(status), world.patienceMs)
    }
  },
  async addressBook(world) {
    const { tenantId, end } = world
    const about = { tenantId, connectionId: end.connectionId, after: null }
    const { contacts } = await (await adapter(world)).ask!('contacts', about)
    expect(contacts).toContainEqual(
      expect.objectContaining({ identity: world.conversationKey, name: expect.stringMatching(/./) }),
    )
  },
  async numberCheck(world) {
    const { given, identity } = world.end.knows!.number!
    const of = { tenantId: world.tenantId, connectionId: world.end.connectionId }
    expect(await ask(world, 'number', { ...of, number: given })).toEqual({ identity })
    expect(await ask(world, 'number', { ...of, number: '5511900000000' })).toBeNull()
  },
  picture: pictureCheck,
  history: (world) => checkHistory(world, ask, patient),
  qr: (world) => deviceCheck(world, 'qrcode'),
  pairingCode: (world) => deviceCheck(world, 'pairingCode'),
  async templates(world) {
    expect(await ask(world, 'templates', {})).toEqual(world.end.knows!.templates)
  },
  async windowHours({ product, token, ticketId }, hours) {
    const detail = await call(product, tickets.get, token, { params: { id: ticketId } })
    expect(detail.body).toMatchObject({ capabilities: { windowHours: hours } })
  },
  humanAgentDays: humanAgentCheck,
  commentDays: commentCheck,
  freeHoursAfterAd: adCheck,
  async names(world) {
    const name = () =>
      world.product.platform.db.read(world.tenantId, (db) => db.selectFrom('contacts').select('name').execute())
    await patient(world, async () => (await name()).some((one) => one.name === world.end.knows!.name))
  },
  async settledWithin(world, seconds) {
    const lost = `Chegou sem resposta ${randomUUID()}`
    world.end.loseAnswer!(lost)
    const reply = await answer(world, { body: lost })
    const { id } = reply.body.messages[0]!
    await patient(world, async () => (await world.end.arrived()).some(({ body }) => body === lost))
    expect(await rowOf(world, id)).toMatchObject({ status: 'queued', provider_id: null })
    await world.end.tellOfLost!(lost)
    await patient(world, async () => (await rowOf(world, id)).provider_id !== null)
    expect((await rowOf(world, id)).status).toBeOneOf(['sent', 'delivered'])
    expect(seconds).toBe(60)
  },
  threads: threadsCheck,
  begins: beginsCheck,
  async idempotentSending(world) {
    const once = `Só uma vez ${randomUUID()}`
    const { id, messageId } = await arrives(world, { body: once })
    const attempts = () =>
      world.product.platform.db.read(world.tenantId, (db) =>
        db
          .selectFrom('message_trail')
          .select('id')
          .where('message_id', '=', messageId)
          .where('step', '=', 'sent')
          .execute(),
      )
    await patient(world, async () => (await attempts()).length === 1)
    // Simulates a lost response; a receipt of the first send may still arrive, and raise the status again.
    await patient(world, async () => {
      if ((await attempts()).length > 1) return true
      await world.product.platform.db.write(world.tenantId, (db) =>
        db.updateTable('messages').set({ status: 'queued' }).where('id', '=', messageId).execute(),
      )
      await recoverSends(world.product.platform, 0)
      return false
    })
    // The last of these may still be under way.
    await patient(world, async () => (await rowOf(world, messageId)).status !== 'queued')
    expect((await rowOf(world, messageId)).provider_id).toBe(id)
    expect((await world.end.arrived()).filter(({ body }) => body === once)).toHaveLength(1)
  },
}

const isClaimed = (flag: Flag, value: unknown): boolean =>
  JSON.stringify(value) !== JSON.stringify(noCapabilities[flag])

/** Returns the capabilities that a channel claims and no test proves. */
export const unproven = ({ capabilities }: ChannelConfig): Flag[] =>
  (Object.keys(capabilities) as Flag[]).filter((flag) => isClaimed(flag, capabilities[flag]) && !checks[flag])

/** Runs the test of one capability. */
export const check = <F extends Flag>(world: World, flag: F): Promise<void> =>
  checks[flag]!(world, world.config.capabilities[flag])

/** Tests a channel against its far end: each recorded payload, and each capability that its config claims. */
export function channelSuite(config: ChannelConfig, folder: string, open: OpenContactEnd): void {
  const fixtures = recordedIn(folder)
  const claimed = (Object.keys(config.capabilities) as Flag[]).filter((flag) =>
    isClaimed(flag, config.capabilities[flag]),
  )

  describe(`the channel ${config.id}`, () => {
    const product = withProduct({ env: { OUTBOUND_ALLOW: ['127.0.0.1'] } })
    let world: World
    let leaveOut: ReturnType<typeof breakable>
    beforeAll(async () => {
      leaveOut = breakable(config)
      world = await worldOf(product(), config, folder, open)
    })
    afterAll(() => world?.end.close())

    test('claims nothing for which there is no test, and has a recorded payload for each kind that it carries', () => {
      expect(unproven(config)).toEqual([])
      const { files, contact, location, buttons, list, poll } = config.capabilities
      const kinds = [
        ...(contact ? ['contact'] : []),
        ...(location ? ['location'] : []),
        ...(buttons || list ? ['interactive-reply'] : []),
        ...(poll ? ['poll'] : []),
      ]
      expect(Object.keys(fixtures).sort()).toEqual(['text', ...Object.keys(files), ...kinds].sort())
    })

    const inwards = Object.entries(fixtures).filter(([, { payload }]) => payload)
    test.each(inwards)('takes the recorded payload of %s', async (_, recorded) => {
      const { type, body } = recorded.becomes
      const row = await received(world, recorded)
      expect(row).toMatchObject({ media_type: type, body })
      if (recorded.file)
        expect(row).toMatchObject({
          file: recorded.file.name,
          size: Buffer.from(recorded.file.base64, 'base64').length,
        })
    })

    test.each(claimed)('does what it claims: %s', (flag) => check(world, flag))

    const { audio, sticker } = config.capabilities.files
    test.runIf(audio?.voice)('makes recordings into voice notes', () => voiceCheck(world, arrives))
    test.runIf(sticker)('makes pictures into stickers', () => stickerCheck(world, arrives))

    test('refuses beforehand what it does not carry', async () => {
      const { quote, begins, contact, location, buttons, poll, react, editMinutes, revokeHours, files, viewOnce } =
        config.capabilities
      const { list, link, form, locationRequest } = config.capabilities
      const { ticketId, token } = world
      const params = { ticketId }
      const cannot = (can: unknown, operation: Operation, input: object) =>
        can || refusedAs(world, operation, input).then((error) => expect(error).toBe('ERR_CHANNEL_CANNOT'))
      const { messageId } = await arrives(world, { body: 'Já foi' })
      await cannot(contact, messages.card, { params, body: { contact: CARD } })
      await cannot(location, messages.location, { params, body: { location: LOCATION } })
      await cannot(buttons, messages.buttons, { body: { ticketId, body: 'Qual?', buttons: [{ text: 'Esta' }] } })
      const asks = (more: object) => ({ body: { ticketId, body: 'Qual?', ...more } })
      const options = { button: 'Ver', sections: [{ rows: [{ title: 'Esta' }] }] }
      await cannot(list, messages.buttons, asks({ type: 'list', list: options }))
      const page = { text: 'Abrir', url: 'https://loja.example' }
      await cannot(link, messages.buttons, asks({ type: 'cta_url', link: page }))
      await cannot(form, messages.buttons, asks({ type: 'form', form: { text: 'Abrir', formId: '1' } }))
      await cannot(locationRequest, messages.buttons, asks({ type: 'location_request' }))
      await cannot(poll, messages.poll, { body: { ticketId, body: 'Qual?', options: ['Esta', 'Aquela'] } })
      await cannot(react, messages.react, { body: { messageId, ticketId, reaction: '👍' } })
      await cannot(editMinutes, messages.edit, { body: { messageId, body: 'Outro' } })
      await cannot(revokeHours, messages.remove, { body: { id: messageId } })
      const [kind] = FILE_KINDS.filter((one) => one in files && !viewOnce.includes(one))
      if (kind)
        expect((await answer(world, { file: fileOf(world, kind), isOnce: true })).body).toMatchObject({
          ...{ error: 'ERR_FILE_NOT_CARRIED', details: { reason: expect.stringContaining('sem visualização única') } },
        })
      const theirs = await received(world, world.fixtures['text']!)
      if (!quote)
        expect((await answer(world, { body: 'x', quotes: theirs.id })).body).toMatchObject({
          error: 'ERR_QUOTE_NOT_CARRIED',
        })
      if (begins === 'contact') {
        const contactId = await make(product().platform).contact(world.tenantId)
        const body = { contactId, whatsappId: world.end.connectionId } as never
        expect((await call(product(), tickets.create, token, { body })).body).toMatchObject({
          error: 'ERR_WAPP_CHECK_CONTACT',
        })
      }
    })

    // In the order of the capabilities; linking is last, since nothing is linked after it.
    const tried = breadth(0, 1) === 0 ? [] : claimed.filter((flag) => broken[flag]?.by === config.id)
    test.each(tried)('is noticed where it does not do it: %s', async (flag) => {
      leaveOut(flag)
      const begun = broken[flag]!.fromStart ? await worldOf(product(), config, folder, open) : world
      await expect(check({ ...begun, patienceMs: 2000 }, flag)).rejects.toThrow()
      leaveOut(null)
    })
  })
}
