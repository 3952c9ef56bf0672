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

/** What it names, and why it can no longer be judged or done: something of that is gone. */
const described = { names: z.array(z.string()), problem: z.string().nullable() }
const step = z.object({ action: actionForm, ...described })

const rule = z.object({
  id: z.number().int(),
  name: z.string(),
  event: z.enum(RULE_EVENTS),
  isActive: z.boolean(),
  /** Rules act in this order, from 1. */
  position: z.number().int(),
  match: z.enum(['all', 'any']),
  conditions: z.array(z.object({ condition: conditionForm, ...described })),
  steps: z.array(step),
  /** How often it matched in the last 30 days, up to 1,000, and when last. */
  matched: z.number().int(),
  lastMatchedAt: isoTime.nullable(),
  createdAt: isoTime,
  updatedAt: isoTime,
})

/** Rule, as API responses return it. */
export type Rule = z.output<typeof rule>

/** Its ticket and contact; null and empty if the reader may not see them. */
const about = { ticketId: z.number().int().nullable(), contactName: hidden(z.string(), maskName) }

/** Names, words or statuses: null for none, empty for what is gone. */
const deciding = z.array(z.string().nullable())

/** A condition with what decided it: some of the values that it asks for (and how many more), and of those that were. */
const decided = z.object({
  field: z.enum(CONDITION_FIELDS),
  is: z.boolean(),
  matches: z.boolean(),
  asked: deciding,
  more: z.number().int(),
  /** Empty for hours, where `is` and `matches` say it. */
  found: deciding,
})

/** What decided a condition, as a browser reads it. */
export type DecidedCondition = z.output<typeof decided>

const trial = z.object({
  /** The newest events that were tried, at most 500, and on how many of them the rule would have acted. */
  total: z.number().int(),
  matched: z.number().int(),
  /** Of those, how many would have been left as they were because an action was refused. */
  refused: z.number().int(),
  events: z.array(
    z.object({
      at: isoTime,
      ...about,
      /** What was written; empty where nothing was. */
      text: z.string(),
      matches: z.boolean(),
      /** Which conditions matched, in their order. */
      conditions: z.array(z.boolean()),
      decided: z.array(decided),
      /** What each action would have done, where the rule matched. */
      steps: z.array(z.object({ refusal: z.string().nullable(), isSame: z.boolean(), body: z.string().nullable() })),
    }),
  ),
})

/** What a rule would have done, as a browser reads it. */
export type Trial = z.output<typeof trial>

const run = z.object({
  id: z.number().int(),
  at: isoTime,
  ...about,
  /** All done; nothing to change; an action was refused and nothing done; stopped after too many rules in a row. */
  outcome: z.enum(['done', 'same', 'refused', 'stopped']),
  /** The conditions as they were then, of tickets that one sees; empty also for what was noted before these were kept. */
  conditions: z.array(decided),
  /** The actions as they were then, each with why it was refused. */
  steps: z.array(step.extend({ refusal: z.string().nullable() })),
})

/** Once that a rule matched, as a browser reads it. */
export type RuleRun = z.output<typeof run>

const gone = [
  ...(['ERR_NO_QUEUE_FOUND', 'ERR_NO_TAG_FOUND', 'ERR_NO_USER_FOUND', 'ERR_NO_KANBAN_FOUND'] as const),
  ...(['ERR_NO_REASON_FOUND', 'ERR_NO_WAPP_FOUND'] as const),
] as const

/** Rules: what is done to tickets by itself when something happens in them. */
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

/** Sent to the whole company: the id of the changed rule, without data. */
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
