import { maskName } from '#domain/access/restricted.ts'
import { offsetMinutes } from '#domain/calendar/local-time.ts'
import type { Flow } from '#domain/flow/flow.ts'
import { readFlow } from '#domain/flow/read.ts'
import type { FlowFacts } from '#domain/flow/session.ts'
import { type Simulated, simulate } from '#domain/flow/simulate.ts'
import { type TemplateSubject, templateValues } from '#domain/messages/template.ts'
import { loadContacts, maySeeContact } from '#features/contacts/server/index.ts'
import { isOpenNow } from '#features/hours/server/index.ts'
import type { Input } from '#kit/contract.ts'
import { fail } from '#kit/errors.ts'
import { capabilitiesOf, channelType } from '#providers/channels/configs.ts'
import type { Actor } from '#server/actors.ts'
import { companyHours } from '#server/company-hours.ts'
import type { ReadCtx } from '#server/context.ts'
import { ownVariablesOf } from '#server/own-variables.ts'
import type { flows } from '../contract.ts'
import { namedBy, peopleFor } from './facts.ts'
import { publishedDocuments, stageNames } from './queries.ts'
import type { Conversation } from './queries-cases.ts'

/** Context of simulations. */
export type Asking = ReadCtx & { readonly user: Actor }
type Contact = NonNullable<TemplateSubject['contact']>

/** Contact of a simulated conversation if none is chosen. */
const SOMEBODY: Contact = { name: 'Maria Souza', email: 'maria@exemplo.test', phoneNumber: '5511900000000' }
/** Fixed random seed of simulations. */
const SEED = 1

/**
 * Returns a function that plays conversations with a flow: the production engine with the company's current data; sends and
 * stores nothing.
 */
export async function playerOf(
  ctx: Asking,
  { chatFlowId, version, flow }: { readonly chatFlowId: number; readonly version: number; readonly flow: Flow },
  contactIds: readonly number[],
): Promise<(conversation: Conversation) => Simulated> {
  const others = await publishedDocuments(ctx.db)
  const all = new Map([...others].map(([id, document]) => [id, readFlow(document)]))
  all.set(chatFlowId, flow)
  const people = [...(await peopleFor(ctx, all.values())), ...(await namedBy(ctx, all.values()))]
  const contacts = await contactsOf(ctx, contactIds)
  const { week, message: absence } = companyHours(ctx.settings)
  const ownOf = await ownVariablesOf(ctx.db, ctx.user.restrictedUser ? [] : contactIds)
  return ({ contactId, channel, known, ...simulation }) => {
    const { buttons, list } = capabilitiesOf(channel ?? '')
    const contact = (contactId === null ? undefined : contacts.get(contactId)) ?? SOMEBODY
    const factsAt = (now: number): FlowFacts => {
      const values = templateValues({
        contact,
        ticket: { id: 1, createdAt: simulation.at },
        now,
        offsetMinutes: offsetMinutes(ctx.settings.timezone, now),
      })
      const given = Object.entries(known?.values ?? {})
      const isStandard = ([name]: readonly [string, string]) => Object.hasOwn(values, name)
      return {
        values: { ...values, ...Object.fromEntries(given.filter(isStandard)) },
        own: { ...ownOf(contactId ?? 0), ...Object.fromEntries(given.filter((one) => !isStandard(one))) },
        isOpen: isOpenNow(ctx.settings, week, new Date(now)),
        absence,
        channel: { type: channel ?? '', buttons, list, isWritable: true },
        tagIds: known?.tagIds ?? [],
        isFirstTicket: known?.isFirstTicket ?? false,
        people,
      }
    }
    return simulate({ chatFlowId, version, flows: all, factsAt, seed: SEED }, simulation)
  }
}

async function contactsOf({ db, user }: Asking, ids: readonly number[]): Promise<Map<number, Contact>> {
  if (ids.length === 0) return new Map()
  const [rows, stages] = await Promise.all([loadContacts(db, ids), stageNames(db)])
  return new Map(
    rows.map((row): [number, Contact] => {
      const kanban = row.kanban === null ? '' : (stages.get(row.kanban) ?? '')
      // Masked data stays masked here.
      if (user.restrictedUser) return [row.id, { name: maskName(row.name), kanban }]
      const { name, first_name: firstName, last_name: lastName, business_name: businessName, email, number } = row
      return [row.id, { name, firstName, lastName, businessName, email, phoneNumber: number, kanban }]
    }),
  )
}

type Played = Pick<
  Input<typeof flows.simulate>['body'],
  'at' | 'events' | 'answers' | 'contactId' | 'channel' | 'known'
>

/** Validates a simulation request; throws 400 for an invisible channel, 404 for an invisible contact. */
export async function conversationOf(
  ctx: Asking,
  { contactId = null, channel = null, ...rest }: Played,
): Promise<Conversation> {
  if (channel !== null && !channelType(channel)) fail('ERR_VALIDATION', { channel: 'Este tipo de canal não existe.' })
  if (contactId !== null && !(await maySeeContact(ctx, contactId))) fail('ERR_NO_CONTACT_FOUND')
  return { ...rest, contactId, channel }
}
