import { z } from 'zod'
import { COLUMNS_BY } from '#domain/tickets/figures.ts'
import { contract } from '#kit/contract.ts'
import { day, epochMs, flag, id } from '#kit/fields.ts'
import * as at from './addresses.ts'

const count = z.number().int()

/** Whether group conversations are included. */
const groups = flag

/** Figures of an agent or queue; null: tickets without agent, or without queue. */
const column = z.object({
  id: count.nullable(),
  name: z.string().nullable(),
  open: count,
  pending: count,
  /** Open and pending tickets whose last message is the customer's, and the start of the longest wait. */
  waiting: count,
  waitingSince: epochMs.nullable(),
  /** Number of tickets whose next deadline is near, and of those that missed it. */
  warned: count,
  missed: count,
  /** Time of the last change among its open and pending tickets. */
  changedAt: epochMs.nullable(),
  /** Reason why the agent gets no tickets now; null: available. For a queue: null if any of its agents is available. */
  absence: z.enum(['offline', 'paused', 'hours']).nullable(),
  /** Open tickets that count against the capacity: without groups and paused ones. For a queue: of its available agents. */
  load: count,
  capacity: count,
  /** Remaining capacity; 0 for absent agents. */
  free: count,
})

/** API contract of the dashboard's live figures. */
export const dashboard = contract(at.dashboard, {
  live: {
    summary: 'Painel ao vivo: a empresa inteira para quem a vê; para os demais, os atendimentos que veem',
    query: z.object({ groups }),
    returns: z.object({
      /** Whether the figures are the whole company's. */
      isWide: z.boolean(),
      /** Present day in the company's zone. */
      today: day,
      /** Open conversations. */
      open: count,
      /** Number of pending conversations. */
      pending: count,
      /** Open and pending tickets whose last message is the customer's. */
      waiting: count,
      /** Conversation whose customer waits longest, and since when. */
      longestWait: z.object({ ticketId: count, status: z.enum(['open', 'pending']), since: epochMs }).nullable(),
      /** Number of waiting conversations by minimum waiting time in minutes. */
      ages: z.array(z.object({ minutes: count, count })),
      /** Open and pending tickets whose next deadline is near, or missed. */
      warned: count,
      missed: count,
      /** Tickets closed since midnight in the company's zone that are still closed. */
      closedToday: count,
      /** Messages scheduled until midnight, in tickets that the user sees; null: not permitted. */
      scheduled: count.nullable(),
      /** Contacts with a birthday today; null: not permitted. */
      birthdays: count.nullable(),
      /**
       * Open and pending conversations by queue, most first; without empty queues that have no agents. `free`: remaining
       * capacity of available agents; null: hidden from the reader.
       */
      queues: z.array(
        z.object({
          id: count.nullable(),
          name: z.string().nullable(),
          open: count,
          pending: count,
          free: count.nullable(),
        }),
      ),
      /** Active users online, by name, at most 60; `open` counts their open tickets, if the viewer sees the whole company. */
      online: z.array(z.object({ id: count, name: z.string(), open: count.nullable() })),
      onlineCount: count,
    }),
  },
  columns: {
    summary: 'Painel de atendimentos: o que cada pessoa, ou cada fila, tem agora, e quanto ainda cabe',
    query: z.object({
      by: z.enum(COLUMNS_BY).default('user'),
      groups,
      /** For columns by agent: only agents of this queue. */
      queueId: id.optional(),
    }),
    returns: z.object({ columns: z.array(column) }),
  },
})

/** Live figures, as API responses return them. */
export type LiveFigures = z.output<typeof dashboard.live.returns>
/** Column of the attendance panel, as API responses return it. */
export type PanelColumn = z.output<typeof column>

declare module '#kit/contract.ts' {
  interface Contracts {
    dashboard: typeof dashboard
  }
}
