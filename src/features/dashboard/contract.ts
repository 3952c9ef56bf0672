import { z } from 'zod'
import { COLUMNS_BY } from '#domain/tickets/figures.ts'
import { contract } from '#kit/contract.ts'
import { day, epochMs, flag, id } from '#kit/fields.ts'
import * as at from './addresses.ts'

const count = z.number().int()

/** With the conversations of groups, or without. */
const groups = flag

/** Figures of a user or a queue: null is no owner, or no queue. */
const column = z.object({
  id: count.nullable(),
  name: z.string().nullable(),
  open: count,
  pending: count,
  /** Open and pending tickets whose customer has had the last word, and since when the first of them waits. */
  waiting: count,
  waitingSince: epochMs.nullable(),
  /** Of how many the next deadline is near, or was missed. */
  warned: count,
  missed: count,
  /** When one of its open and pending tickets last changed. */
  changedAt: epochMs.nullable(),
  /** Why they get no tickets now; null: available. For a queue: null while anyone of it is available. */
  absence: z.enum(['offline', 'paused', 'hours']).nullable(),
  /** Open tickets that count against the capacity: no groups, none that is paused. Of a queue: of its people who are there. */
  load: count,
  capacity: count,
  /** Remaining capacity; 0 for people who are away. */
  free: count,
})

/** The panels' live figures. */
export const dashboard = contract(at.dashboard, {
  live: {
    summary: 'Painel ao vivo: a empresa inteira para quem a vê; para os demais, os atendimentos que veem',
    query: z.object({ groups }),
    returns: z.object({
      /** Whether the figures are the whole company's. */
      isWide: z.boolean(),
      /** The day in the company's zone. */
      today: day,
      /** Open conversations. */
      open: count,
      /** Pending conversations. */
      pending: count,
      /** Open and pending tickets whose customer has had the last word. */
      waiting: count,
      /** The one of them that waits longest, and since when. */
      longestWait: z.object({ ticketId: count, status: z.enum(['open', 'pending']), since: epochMs }).nullable(),
      /** How many of them have waited so many minutes or longer. */
      ages: z.array(z.object({ minutes: count, count })),
      /** Open and pending tickets whose next deadline is near, or was missed. */
      warned: count,
      missed: count,
      /** Tickets closed since midnight in the company's zone, and closed still. */
      closedToday: count,
      /** Messages that are to leave until midnight, in tickets that the person sees; null: not theirs to see. */
      scheduled: count.nullable(),
      /** Contacts with a birthday today; null: not theirs to see. */
      birthdays: count.nullable(),
      /**
       * Open and pending conversations by queue, the fullest first; empty queues without people are left out. `free`:
       * remaining capacity of available people; null: hidden from the reader.
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
      /** Active users who are online, by name, at most 60; `open` are their open tickets, where the company is seen whole. */
      online: z.array(z.object({ id: count, name: z.string(), open: count.nullable() })),
      onlineCount: count,
    }),
  },
  columns: {
    summary: 'Painel de atendimentos: o que cada pessoa, ou cada fila, tem agora, e quanto ainda cabe',
    query: z.object({
      by: z.enum(COLUMNS_BY).default('user'),
      groups,
      /** By person: only who works in this queue. */
      queueId: id.optional(),
    }),
    returns: z.object({ columns: z.array(column) }),
  },
})

/** The figures, as a browser reads them. */
export type LiveFigures = z.output<typeof dashboard.live.returns>
/** Column of the attendance panel, as API responses return it. */
export type PanelColumn = z.output<typeof column>

declare module '#kit/contract.ts' {
  interface Contracts {
    dashboard: typeof dashboard
  }
}
