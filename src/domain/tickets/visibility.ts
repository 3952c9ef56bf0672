import { type Ranked, seesAsAdmin, seesWide } from '../access/profiles.ts'
import { allOf, anyOf, type Criteria, evaluate, not } from '../criteria.ts'
import type { TicketFacts } from './facts.ts'
import { type AttendanceFilter, inTab } from './filter.ts'

/** Viewer: a user of the tenant, with their queues. */
export type Viewer = Ranked & { readonly id: number; readonly queueIds: readonly number[] }

/** Tenant settings that decide who sees which ticket. */
export type VisibilitySettings = {
  readonly showGroupsForAll: boolean
  readonly showClosedForAll: boolean
  /** Wire `supervisorAdmin: enabled`, which denies supervisors the tenant-wide view. */
  readonly supervisorsLimited: boolean
  readonly nullTickets: boolean
  readonly notViewTicketsChatBot: boolean
  readonly directTicketsToWallets: boolean
  readonly notViewAssignedTickets: boolean
  readonly tenantHasQueues: boolean
  /** Whether tickets of bots have their own tab. */
  readonly showChatBot: boolean
}

/** Rule that decided; `unrefused` if every rule passed the ticket. */
export type VisibilityRule =
  | 'tab'
  | 'showAll'
  | 'closedForAll'
  | 'status'
  | 'narrowing'
  | 'groups'
  | 'own'
  | 'chatbot'
  | 'queues'
  | 'wallets'
  | 'assigned'
  | 'unrefused'

type Where = Criteria<TicketFacts>
type Question = {
  readonly viewer: Viewer
  readonly settings: VisibilitySettings
  /** Null: decides access as such, regardless of list filters. */
  readonly filter: AttendanceFilter | null
}
/** Step of the decision: if `when` holds, `verdict` is the result; otherwise the next step decides. */
type Step = { readonly rule: VisibilityRule; readonly when: Where; readonly verdict: Where }
type Rule = (question: Question) => Step

/** Rules in order; the first that applies decides. */
const ORDER: readonly Rule[] = [
  isInTab,
  showAll,
  statusAsked,
  narrowing,
  groups,
  closedForAll,
  ownTicket,
  hiddenChatbot,
  queuesOfViewer,
  walletOwners,
  assignedToOthers,
]

/** Returns the criteria of the tickets in the viewer's list under this filter. */
export function visibleTo(viewer: Viewer, settings: VisibilitySettings, filter: AttendanceFilter): Where {
  return compose({ viewer, settings, filter })
}

/**
 * Returns the criteria of the tickets that the viewer may open, be notified of, and read messages and files of: any status,
 * no filter.
 */
export function accessTo(viewer: Viewer, settings: VisibilitySettings): Where {
  return compose({ viewer, settings, filter: null })
}

/** Returns whether the viewer sees the ticket and the deciding rule; a null filter explains `accessTo`. */
export function explain(
  ticket: TicketFacts,
  viewer: Viewer,
  settings: VisibilitySettings,
  filter: AttendanceFilter | null,
): { visible: boolean; rule: VisibilityRule } {
  for (const rule of ORDER) {
    const step = rule({ viewer, settings, filter })
    if (evaluate(step.when, ticket)) return { visible: evaluate(step.verdict, ticket), rule: step.rule }
  }
  return { visible: true, rule: 'unrefused' }
}

/** Returns the rules for this viewer in order, with whether each can decide at all. */
export const rulesOf = (
  viewer: Viewer,
  settings: VisibilitySettings,
): { readonly rule: VisibilityRule; readonly applies: boolean }[] =>
  ORDER.map((rule) => rule({ viewer, settings, filter: null })).map(({ rule, when }) => ({
    rule,
    applies: when !== false,
  }))

function compose(question: Question): Where {
  return ORDER.reduceRight<Where>((rest, rule) => {
    const { when, verdict } = rule(question)
    if (verdict === true) return anyOf(when, rest)
    if (verdict === false) return allOf(not(when), rest)
    return anyOf(allOf(when, verdict), allOf(not(when), rest))
  }, true)
}

/** Restricts to the tab on screen and the panel figure's filter, before all rules. */
function isInTab({ filter, settings }: Question): Step {
  const outside = anyOf<TicketFacts>(
    filter?.tab ? not(inTab(filter.tab, settings)) : false,
    filter?.isGroup == null ? false : { field: 'isGroup', in: [!filter.isGroup] },
    filter?.onlyQueue == null
      ? false
      : not({ field: 'queueId', in: [filter.onlyQueue === 'none' ? null : filter.onlyQueue] }),
    filter?.onlyUser == null
      ? false
      : not({ field: 'userId', in: [filter.onlyUser === 'none' ? null : filter.onlyUser] }),
  )
  return { rule: 'tab', when: outside, verdict: false }
}

/** Rule 1: show-all, if the viewer may use it, bypasses all other rules. */
function showAll({ viewer, settings, filter }: Question): Step {
  const wide = seesWide(viewer, settings.supervisorsLimited)
  return { rule: 'showAll', when: wide && (filter?.showAll ?? true), verdict: true }
}

/** Rule 3: the status must be one of the requested ones, unless rule 2 shows the closed ticket to everyone. */
function statusAsked(question: Question): Step {
  if (!question.filter) return { rule: 'status', when: false, verdict: false }
  const asked: Where = { field: 'status', in: question.filter.status }
  return { rule: 'status', when: not(anyOf(asked, closedAndShown(question))), verdict: false }
}

/** Rule 5, with the filter parts of 6, 8 and 10: the viewer's filters narrow every list. */
function narrowing({ filter }: Question): Step {
  if (!filter) return { rule: 'narrowing', when: false, verdict: false }
  const chosen = allOf<TicketFacts>(
    filter.whatsappIds.length > 0 ? { field: 'whatsappId', in: filter.whatsappIds } : true,
    filter.selectedUser === null || { field: 'userId', in: [filter.selectedUser] },
    filter.kanban.length > 0 ? { field: 'kanban', in: filter.kanban } : true,
    filter.tags.length > 0 ? { field: 'tagIds', overlaps: filter.tags } : true,
    filter.queuesIds.length > 0 ? { field: 'queueId', in: filter.queuesIds } : true,
    filter.includeNotQueueDefined || not<TicketFacts>({ field: 'queueId', in: [null] }),
    !filter.withUnreadMessages || { field: 'unread', in: [true] },
    !filter.isNotAssignedUser || { field: 'userId', in: [null] },
  )
  return { rule: 'narrowing', when: not(chosen), verdict: false }
}

/** Rule 4 alone decides groups: all groups, else the assigned ones, those that name the user, and for admins the unassigned. */
function groups({ viewer, settings }: Question): Step {
  const verdict = anyOf<TicketFacts>(
    settings.showGroupsForAll,
    { field: 'userId', in: seesAsAdmin(viewer) ? [viewer.id, null] : [viewer.id] },
    { field: 'groupUserIds', overlaps: [viewer.id] },
  )
  return { rule: 'groups', when: { field: 'isGroup', in: [true] }, verdict }
}

/** Rule 2: closed tickets are visible to everyone; viewers limited to queues see those of their queues. */
function closedForAll(question: Question): Step {
  return { rule: 'closedForAll', when: closedAndShown(question), verdict: true }
}

/** Rule 6: the viewer's own tickets are visible. */
function ownTicket({ viewer }: Question): Step {
  return { rule: 'own', when: { field: 'userId', in: [viewer.id] }, verdict: true }
}

/** Rule 7: tickets handled by a chat flow only are hidden if the tenant enables it. */
function hiddenChatbot({ settings }: Question): Step {
  const inChatbot = allOf<TicketFacts>(
    settings.notViewTicketsChatBot,
    { field: 'userId', in: [null] },
    { field: 'queueId', in: [null] },
    not<TicketFacts>({ field: 'chatFlowId', in: [null] }),
  )
  return { rule: 'chatbot', when: inChatbot, verdict: false }
}

/** Rule 8: if the tenant has queues, viewers limited to queues see those and (setting) tickets without queue and agent. */
function queuesOfViewer({ viewer, settings }: Question): Step {
  const seen = anyOf<TicketFacts>(
    { field: 'queueId', in: viewer.queueIds },
    allOf<TicketFacts>(settings.nullTickets, { field: 'queueId', in: [null] }, { field: 'userId', in: [null] }),
  )
  const bound = settings.tenantHasQueues && isLimited(viewer, settings)
  return { rule: 'queues', when: allOf(bound, not(seen)), verdict: false }
}

/** Rule 9: with wallet routing, a contact with wallets is visible to their owners only. */
function walletOwners({ viewer, settings }: Question): Step {
  const othersWallet = allOf<TicketFacts>(
    settings.directTicketsToWallets,
    not<TicketFacts>({ field: 'wallets', empty: true }),
    not<TicketFacts>({ field: 'wallets', overlaps: [viewer.id] }),
  )
  return { rule: 'wallets', when: othersWallet, verdict: false }
}

/** Rule 10: with hide-assigned on, tickets of others are hidden. */
function assignedToOthers({ settings }: Question): Step {
  const taken = not<TicketFacts>({ field: 'userId', in: [null] })
  return { rule: 'assigned', when: allOf(settings.notViewAssignedTickets, taken), verdict: false }
}

function closedAndShown({ viewer, settings }: Question): Where {
  const byQueue = isLimited(viewer, settings) && viewer.queueIds.length > 0
  return allOf<TicketFacts>(
    settings.showClosedForAll,
    { field: 'status', in: ['closed'] },
    byQueue ? { field: 'queueId', in: settings.nullTickets ? [...viewer.queueIds, null] : viewer.queueIds } : true,
  )
}

function isLimited(viewer: Viewer, settings: VisibilitySettings): boolean {
  return !seesWide(viewer, settings.supervisorsLimited)
}
