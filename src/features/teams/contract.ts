import { z } from 'zod'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { done, id, idParams, isoTime, pageAnswer, pageQuery, text } from '#kit/fields.ts'
import { listQuery } from '#kit/resource.ts'
import { teamTable } from './table.ts'

const teamRow = z.object({
  id: z.number().int(),
  /** The team's name; so called on the wire of the product's family. */
  group: z.string(),
  isActive: z.boolean(),
  userCount: z.number().int(),
  /** Some of its people, by name. */
  people: z.array(z.object({ id: z.number().int(), name: z.string() })),
  createdAt: isoTime,
  updatedAt: isoTime,
})

/** A team as the list shows it. */
export type TeamRow = z.output<typeof teamRow>

const fields = { group: text(60, 1), isActive: z.boolean() }
const changes = z.strictObject(fields).partial()

/** What a new team is made from. */
export const teamForm = changes.required({ group: true })

const touches = ['teams']
const page = z.object({ items: z.array(teamRow), ...pageAnswer })

/** Teams: groups of colleagues. */
export const teams = contract('teams', {
  list: {
    method: 'GET',
    path: '/group-message',
    summary: 'Equipes por nome',
    can: 'teams:read',
    query: listQuery(teamTable),
    returns: page,
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  mine: {
    method: 'GET',
    path: '/group-message/user',
    summary: 'As equipes ativas de que se faz parte, por nome',
    can: 'teams:read',
    query: listQuery(teamTable),
    returns: page,
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  members: {
    method: 'GET',
    path: '/group-message/:id',
    summary: 'Quem faz parte de uma equipe, por nome',
    can: 'teams:read',
    params: idParams,
    query: pageQuery,
    returns: z.object({
      items: z.array(
        z.object({ userId: z.number().int(), name: z.string(), email: z.string(), isOnline: z.boolean() }),
      ),
      ...pageAnswer,
    }),
    errors: ['ERR_NO_TEAM_FOUND', 'ERR_PAGE_TOO_FAR'],
  },
  create: {
    method: 'POST',
    path: '/group-message',
    summary: 'Nova equipe',
    can: 'teams:write',
    body: teamForm,
    returns: teamRow,
    errors: ['ERR_DUPLICATED'],
    touches,
    audit: true,
  },
  update: {
    method: 'PUT',
    path: '/group-message/:id',
    summary: 'Alterar uma equipe',
    can: 'teams:write',
    params: idParams,
    body: changes,
    returns: teamRow,
    errors: ['ERR_NO_TEAM_FOUND', 'ERR_DUPLICATED'],
    touches,
    audit: true,
  },
  remove: {
    method: 'DELETE',
    path: '/group-message/:id',
    summary: 'Excluir uma equipe; as pessoas ficam',
    can: 'teams:write',
    params: idParams,
    returns: done,
    errors: ['ERR_NO_TEAM_FOUND'],
    touches,
    audit: true,
  },
  addMember: {
    method: 'POST',
    path: '/group-message/user',
    summary: 'Incluir alguém em uma equipe',
    can: 'teams:write',
    body: z.strictObject({ userId: id, groupId: id }),
    returns: done,
    errors: ['ERR_NO_TEAM_FOUND', 'ERR_NO_USER_FOUND'],
    touches,
    audit: true,
  },
  removeMember: {
    method: 'DELETE',
    path: '/group-message/user/:userId/:groupId',
    summary: 'Tirar alguém de uma equipe',
    can: 'teams:write',
    params: z.object({ userId: id, groupId: id }),
    returns: done,
    errors: ['ERR_NO_TEAM_FOUND', 'ERR_NO_USER_FOUND'],
    touches,
    audit: true,
  },
})

/** What is told about teams: which one changed, without data. */
export const teamEvents = events({
  changed: {
    channel: 'teams',
    type: 'teams:changed',
    kept: true,
    payload: z.object({ id: z.number().int() }),
  },
})
