import { z } from 'zod'
import { maskName } from '#domain/access/restricted.ts'
import { CONDITION_FIELDS, RULE_EVENTS } from '#domain/rules/rules.ts'
import { actionForm } from '#features/macros/forms.ts'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { done, id, isoTime, pageAnswer, pageQuery } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import { listQuery } from '#kit/resource.ts'
import * as at from './addresses.ts'
import { conditionForm, ruleChanges, ruleForm, ruleTrial } from './forms.ts'
import { ruleTable } from './table.ts'

/** Names of the records referred to, and the reason why it cannot be evaluated or carried out any more: a record was deleted. */
const described = { names: z.array(z.string()), problem: z.string().nullable() }
const step = z.object({ action: actionForm, ...described })

const rule = z.object({
  id: z.number().int(),
  name: z.string(),
  event: z.enum(RULE_EVENTS),
  isActive: z.boolean(),
  /** Position in the order of execution, from 1. */
  position: z.number().int(),
  match: z.enum(['all', 'any']),
  conditions: z.array(z.object({ condition: conditionForm, ...described })),
  steps: z.array(step),
  /** Number of matches in the last 30 days, up to 1,000, and time of the last one. */
  matched: z.number().int(),
  lastMatchedAt: isoTime.nullable(),
  createdAt: isoTime,
  updatedAt: isoTime,
})

/** Rule, as API responses return it. */
export type Rule = z.output<typeof rule>

/** Ticket and contact; null and empty if the reader may not see them. */
const about = { ticketId: z.number().int().nullable(), contactName: hidden(z.string(), maskName) }

/** Names, words or statuses: null for none, empty for deleted records. */
const deciding = z.array(z.string().nullable())

/** Condition with the values that decided it: some of the requested ones (and how many more), and some of the actual ones. */
const decided = z.object({
  field: z.enum(CONDITION_FIELDS),
  is: z.boolean(),
  matches: z.boolean(),
  asked: deciding,
  more: z.number().int(),
  /** Empty for business hours, where `is` and `matches` suffice. */
  found: deciding,
})

/** Condition with the values that decided it, as API responses return it. */
export type DecidedCondition = z.output<typeof decided>

const trial = z.object({
  /** Number of events tested, the newest 500 at most, and of those in which the rule would have acted. */
  total: z.number().int(),
  matched: z.number().int(),
  /** Number of those in which an action would have been refused, so that nothing changes. */
  refused: z.number().int(),
  events: z.array(
    z.object({
      at: isoTime,
      ...about,
      /** Text of the message; empty if there is none. */
      text: z.string(),
      matches: z.boolean(),
      /** Results of the conditions, in their order. */
      conditions: z.array(z.boolean()),
      decided: z.array(decided),
      /** Results of the actions, if the rule matched. */
      steps: z.array(z.object({ refusal: z.string().nullable(), isSame: z.boolean(), body: z.string().nullable() })),
    }),
  ),
})

/** Result of a rule's trial, as API responses return it. */
export type Trial = z.output<typeof trial>

const run = z.object({
  id: z.number().int(),
  at: isoTime,
  ...about,
  /** Outcome: all done; nothing to change; an action refused and nothing done; stopped after too many rules in a row. */
  outcome: z.enum(['done', 'same', 'refused', 'stopped']),
  /** Conditions at that time, for tickets that the reader sees; empty for runs recorded before conditions were stored. */
  conditions: z.array(decided),
  /** Actions at that time, each with the reason for its refusal. */
  steps: z.array(step.extend({ refusal: z.string().nullable() })),
})

/** Execution of a rule, as API responses return it. */
export type RuleRun = z.output<typeof run>

const gone = [
  ...(['ERR_NO_QUEUE_FOUND', 'ERR_NO_TAG_FOUND', 'ERR_NO_USER_FOUND', 'ERR_NO_KANBAN_FOUND'] as const),
  ...(['ERR_NO_REASON_FOUND', 'ERR_NO_WAPP_FOUND'] as const),
] as const

/** API contract of automation rules on tickets. */
export const rules = contract(at.rules, {
  list: {
    summary: 'Automações, na ordem em que agem',
    query: listQuery(ruleTable),
    returns: z.object({ items: z.array(rule), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: { summary: 'Uma automação', returns: rule, errors: ['ERR_NO_RULE_FOUND'] },
  create: {
    summary: 'Nova automação, desligada se não for dito outra coisa',
    body: ruleForm,
    returns: rule,
    errors: ['ERR_MAX_RULES', ...gone],
    audit: true,
  },
  update: {
    summary: 'Alterar, ligar ou pausar uma automação; o que não vem no pedido fica como está',
    body: ruleChanges,
    returns: rule,
    errors: ['ERR_NO_RULE_FOUND', ...gone],
    audit: true,
  },
  remove: {
    summary: 'Excluir uma automação e o seu histórico',
    returns: done,
    errors: ['ERR_NO_RULE_FOUND'],
    audit: true,
  },
  arrange: {
    summary: 'Ordenar as automações; elas trocam entre si os lugares que têm',
    body: z.strictObject({
      ids: z
        .array(z.number().int())
        .min(1, 'Escolha ao menos uma.')
        .max(500, 'No máximo 500.')
        .refine((ids) => new Set(ids).size === ids.length, 'Cada automação só uma vez.'),
    }),
    returns: done,
    errors: ['ERR_NO_RULE_FOUND'],
    audit: true,
  },
  try: {
    summary: 'O que uma automação teria feito com os últimos 500 acontecimentos; nada é feito',
    mode: 'read',
    body: ruleTrial,
    returns: trial,
    errors: [...gone],
  },
  runs: {
    summary: 'Quando uma automação valeu e o que fez, o mais novo primeiro',
    params: z.object({ id }),
    query: pageQuery,
    returns: z.object({ items: z.array(run), ...pageAnswer }),
    errors: ['ERR_NO_RULE_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
})

/** Event for the whole company: the id of the changed rule, without data. */
export const ruleEvents = events(at.ruleEvents, {
  changed: z.object({ id: z.number().int(), action: z.enum(['create', 'update', 'delete']) }),
})

declare module '#kit/contract.ts' {
  interface Contracts {
    rules: typeof rules
  }
  interface Events {
    ruleEvents: typeof ruleEvents
  }
}
