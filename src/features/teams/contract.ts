import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { done, id, isoTime, pageAnswer, pageQuery } from '#kit/fields.ts'
import { listQuery } from '#kit/resource.ts'
import * as at from './addresses.ts'
import { teamChanges, teamForm } from './forms.ts'
import { teamTable } from './table.ts'

const teamRow = z.object({
  id: z.number().int(),
  /** Name of the team, by its wire name. */
  group: z.string(),
  isActive: z.boolean(),
  userCount: z.number().int(),
  /** Some of the members, by name. */
  people: z.array(z.object({ id: z.number().int(), name: z.string() })),
  createdAt: isoTime,
  updatedAt: isoTime,
})

/** Team, as the list returns it. */
export type TeamRow = z.output<typeof teamRow>
const page = z.object({ items: z.array(teamRow), ...pageAnswer })

/** API contract of teams. */
export const teams = contract(at.teams, {
  list: {
    summary: 'Equipes por nome',
    query: listQuery(teamTable),
    returns: page,
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  mine: {
    summary: 'As equipes ativas de que se faz parte, por nome',
    query: listQuery(teamTable),
    returns: page,
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  members: {
    summary: 'Quem faz parte de uma equipe, por nome',
    query: pageQuery,
    returns: z.object({
      items: z.array(
        z.object({
          userId: z.number().int(),
          name: z.string(),
          email: z.string(),
          isOnline: z.boolean(),
          awayUntil: isoTime.nullable(),
        }),
      ),
      ...pageAnswer,
    }),
    errors: ['ERR_NO_TEAM_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
  create: {
    summary: 'Nova equipe',
    body: teamForm,
    returns: teamRow,
    errors: ['ERR_DUPLICATED'],
    audit: true,
  },
  update: {
    summary: 'Alterar uma equipe',
    body: teamChanges,
    returns: teamRow,
    errors: ['ERR_NO_TEAM_FOUND', 'ERR_DUPLICATED'],
    audit: true,
  },
  remove: {
    summary: 'Excluir uma equipe; as pessoas ficam',
    returns: done,
    errors: ['ERR_NO_TEAM_FOUND'],
    audit: true,
  },
  addMember: {
    summary: 'Incluir alguém em uma equipe',
    body: z.strictObject({ userId: id, groupId: id }),
    returns: done,
    errors: ['ERR_NO_TEAM_FOUND', 'ERR_NO_USER_FOUND'],
    audit: true,
  },
  removeMember: {
    summary: 'Tirar alguém de uma equipe',
    returns: done,
    errors: ['ERR_NO_TEAM_FOUND', 'ERR_NO_USER_FOUND'],
    audit: true,
  },
})

/** Events of teams: the id of the changed one, without data. */
export const teamEvents = events(at.teamEvents, {
  changed: z.object({ id: z.number().int() }),
})

declare module '#kit/contract.ts' {
  interface Contracts {
    teams: typeof teams
  }
  interface Events {
    teamEvents: typeof teamEvents
  }
}
