import { randomUUID } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { USUAL_WEEK } from '#domain/calendar/business-hours.ts'
import { hours } from '#features/hours/contract.ts'
import { ratings } from '#features/ratings/contract.ts'
import { settings } from '#features/settings/contract.ts'
import { ticketCommands } from '#features/tickets/commands-contract.ts'
import { tickets } from '#features/tickets/contract.ts'
import { closeQuiet } from '#features/tickets/server/closing/auto-close.ts'
import { groupCompany } from '#test/group-company.ts'
import { make } from '#test/make.ts'
import { call, withProduct } from '#test/server.ts'
import { until } from '#test/until.ts'
import { type LabPhone, lab } from './contract.ts'

const product = withProduct()
type Company = Awaited<ReturnType<typeof groupCompany>>
let { tenantId, agent, phone, idle, say, accepted, thread, talking } = {} as Company
let ana: LabPhone

const read = <T>(...of: Parameters<ReturnType<typeof product>['platform']['db']['read']>) =>
  product().platform.db.read(...of) as Promise<T>

beforeAll(async () => {
  const company = await groupCompany(product, ['Ana Luz', 'Bia Melo'])
  ;({ tenantId, agent, phone, idle, say, accepted, thread, talking } = company)
  ;[ana] = company.phones as [LabPhone]
})

/** Automatic changes of conversations: how each is switched on and off, what triggers it, and whether it has happened. */
const automatic: Readonly<
  Record<
    string,
    (m: Make) => Promise<{ off(): Promise<unknown>; act(of: Talk): Promise<unknown>; done(of: Talk): Promise<boolean> }>
  >
> = {
  async 'an absence message'() {
    const message = (messageBusinessHours: string) =>
      call(product(), hours.setMessage, agent.token, { body: { messageBusinessHours } })
    const week = (type: 'C' | 'O') =>
      call(product(), hours.setWeek, agent.token, { body: USUAL_WEEK.map((row) => ({ ...row, type })) })
    await week('C')
    await message('Voltamos às 8h.')
    return {
      off: async () => [await message(''), await week('O')],
      act: ({ write }) => write('Tem alguém?'),
      done: ({ ticketId }) => wasSent(ticketId, 'absence'),
    }
  },
  async 'a rating'() {
    const set = (ratingStoreUse: 'enabled' | 'disabled') =>
      call(product(), ratings.setTexts, agent.token, { params: { id: tenantId }, body: { ratingStoreUse } })
    await set('enabled')
    return {
      off: () => set('disabled'),
      act: ({ ticketId }) =>
        call(product(), tickets.update, agent.token, { params: { id: ticketId }, body: { status: 'closed' } }),
      done: async ({ ticketId }) =>
        (
          await read<unknown[]>(tenantId, (db) =>
            db.selectFrom('ticket_evaluations').select('id').where('ticket_id', '=', ticketId).execute(),
          )
        ).length > 0,
    }
  },
  async 'automatic closing'() {
    const set = (value: 'enabled' | 'disabled') =>
      call(product(), settings.set, agent.token, { params: { key: 'autoClose' }, body: { value } })
    await set('enabled')
    return {
      off: () => set('disabled'),
      act: async ({ ticketId }) => {
        await product().platform.db.write(tenantId, (db) =>
          db
            .updateTable('tickets')
            .set({ waiting_since: null, last_message_at: new Date(0) })
            .where('id', '=', ticketId)
            .execute(),
        )
        await closeQuiet(product().platform)
      },
      done: async ({ ticketId }) => (await detailOf(ticketId)).status === 'closed',
    }
  },
  async 'the chatbot'(m) {
    const chatFlowId = await m.insert('chat_flows', tenantId, {
      name: 'Recepção',
      definition: JSON.stringify({ lineList: [{ from: 'start', to: 'a' }] }),
    })
    return {
      off: async () => {},
      act: ({ ticketId }) =>
        call(product(), ticketCommands.toChatFlow, agent.token, { params: { id: ticketId }, body: { chatFlowId } }),
      done: async ({ ticketId }) => (await detailOf(ticketId)).chatFlowId === chatFlowId,
    }
  },
}
type Make = ReturnType<typeof make>
type Talk = { ticketId: number; write(body: string): Promise<unknown> }
const detailOf = async (id: number) => (await call(product(), tickets.get, agent.token, { params: { id } })).body
const wasSent = async (ticketId: number, sendType: string) =>
  (await thread(ticketId)).some((one) => one.sendType === sendType)

it.each(Object.keys(automatic))('a group never gets %s, which a private conversation gets', async (what) => {
  const { group, ticketId } = await talking()
  const one = await phone('Otávio', `(19) 99813-${String(++numbers)}`)
  const write = (body: string) =>
    call(product(), lab.send, agent.token, { params: { id: one.id }, body: { id: randomUUID(), body } as never }).then(
      idle,
    )
  await write('Oi')
  const alone = { ticketId: await accepted(one), write }
  const { off, act, done } = await automatic[what]!(make(product().platform))
  const together = { ticketId, write: (body: string) => say(group, ana, body) }
  await act(together)
  await act(alone)
  await until(() => done(alone))
  expect(await done(together)).toBe(false)
  await off()
})
let numbers = 1000
