import { z } from 'zod'
import { maskName, maskValue } from '#domain/access/restricted.ts'
import { GROUP_ITEM_STATES, GROUP_JOB_KINDS, GROUP_JOB_STATUSES, GROUP_RULE_KINDS } from '#domain/groups/tools.ts'
import { contract } from '#kit/contract.ts'
import { events } from '#kit/events.ts'
import { done, id, isoTime, many, pageAnswer, pageQuery } from '#kit/fields.ts'
import { hidden } from '#kit/hidden.ts'
import * as at from './addresses.ts'
import {
  adminsOnlyForm,
  createForm,
  descriptionForm,
  groupKey,
  participantsForm,
  pictureFileForm,
  pictureUrlForm,
  ruleForm,
  titleForm,
} from './forms.ts'

const count = z.number().int()
const role = z.enum(['owner', 'admin', 'member'])

const group = z.object({
  /** Channel address of the group. */
  id: z.string(),
  name: z.string(),
  description: z.string(),
  /** Role of the channel's own number in the group; null if unknown. */
  role: role.nullable(),
  size: count,
  adminsOnly: z.boolean(),
  seenAt: isoTime,
})

/** Group of a channel, with the role of its own number. */
export type ToolGroup = z.output<typeof group>

const participant = z.object({
  identity: hidden(z.string(), maskValue),
  name: hidden(z.string(), maskName),
  number: hidden(z.string().nullable(), maskValue),
  role,
  isOwn: z.boolean(),
})

/** Participant of a group. */
export type ToolParticipant = z.output<typeof participant>

const groupJob = z.object({
  id: count,
  kind: z.enum(GROUP_JOB_KINDS),
  whatsappId: count,
  whatsappName: z.string(),
  status: z.enum(GROUP_JOB_STATUSES),
  /** Text to write, or the number of affected numbers. */
  summary: z.string(),
  /** Reason why the job waits or was paused. */
  reason: z.string(),
  total: count,
  waiting: count,
  done: count,
  partial: count,
  failed: count,
  uncertain: count,
  userId: count.nullable(),
  userName: z.string(),
  createdAt: isoTime,
  finishedAt: isoTime.nullable(),
})

/** Bulk job on groups, with its progress. */
export type GroupJob = z.output<typeof groupJob>

const jobItem = z.object({
  id: count,
  groupId: z.string(),
  name: z.string(),
  state: z.enum(GROUP_ITEM_STATES),
  reason: z.string(),
  at: isoTime.nullable(),
})

/** Group of a job, with its result. */
export type GroupJobItem = z.output<typeof jobItem>

const rule = z.object({
  id: count,
  kind: z.enum(GROUP_RULE_KINDS),
  whatsappId: count,
  whatsappName: z.string(),
  groupId: z.string(),
  groupName: z.string(),
  value: z.string(),
  deletes: z.boolean(),
  warning: z.string(),
  removeAfter: count.nullable(),
  userId: count.nullable(),
  userName: z.string(),
  hits: count,
  hitAt: isoTime.nullable(),
  /** Reason why the rule cannot be, or was not, carried out; empty otherwise. */
  problem: z.string(),
  createdAt: isoTime,
})

/** Automatic rule of a group. */
export type GroupRule = z.output<typeof rule>

const channelErrors = ['ERR_NO_WAPP_FOUND', 'ERR_NO_PERMISSION', 'ERR_CHANNEL_CANNOT'] as const
const started = { returns: groupJob, errors: [...channelErrors, 'ERR_NO_GROUP_FOUND'], audit: true } as const
const ofChannel = z.object({ whatsappId: id })

/** API contract of groups: list, create, change. */
export const groupTools = contract(at.groupTools, {
  list: {
    summary: 'Grupos de um canal, como ele os tinha na última atualização, com o papel do próprio número',
    query: pageQuery.extend({ whatsappId: id, role: many(role) }),
    returns: z.object({ groups: z.array(group), seenAt: isoTime.nullable(), ...pageAnswer }),
    errors: [...channelErrors, 'ERR_PAGE_TOO_FAR'],
  },
  refresh: {
    summary: 'Perguntar ao canal quais grupos tem agora',
    mode: 'slow',
    body: z.strictObject({ whatsappId: id }),
    returns: z.object({ count }),
    errors: [...channelErrors, 'ERR_WAPP_NOT_INITIALIZED'],
  },
  ids: {
    summary: 'Os identificadores dos grupos de um canal',
    query: ofChannel,
    returns: z.object({ groupIds: z.array(z.string()) }),
    errors: channelErrors,
  },
  get: {
    summary: 'Um grupo de um canal',
    query: ofChannel.extend({ groupId: groupKey }),
    returns: group,
    errors: [...channelErrors, 'ERR_NO_GROUP_FOUND'],
  },
  participants: {
    summary: 'Quem está em um grupo agora, perguntado ao canal; primeiro quem o administra',
    mode: 'slow',
    query: ofChannel.extend({ groupId: groupKey }),
    returns: z.object({ participants: z.array(participant) }),
    errors: [...channelErrors, 'ERR_NO_GROUP_FOUND', 'ERR_WAPP_NOT_INITIALIZED'],
  },
  exportParticipants: {
    summary: 'Baixar os participantes dos grupos escolhidos, ou de todos, em XLSX ou CSV',
    mode: 'slow',
    query: ofChannel.extend({ groupIds: many(groupKey), format: z.enum(['csv', 'xlsx']).default('xlsx') }),
    returns: z.unknown(),
    errors: channelErrors,
    audit: true,
  },
  create: {
    summary: 'Criar vários grupos com os mesmos participantes; de mais de um, o nome leva um número',
    body: createForm,
    returns: groupJob,
    errors: channelErrors,
    audit: true,
  },
  titles: { summary: 'Mudar o nome de grupos', body: titleForm, ...started },
  descriptions: { summary: 'Mudar a descrição de grupos', body: descriptionForm, ...started },
  picturesUrl: {
    summary: 'Mudar a imagem de grupos por um endereço',
    mode: 'slow',
    body: pictureUrlForm,
    ...started,
    errors: [...started.errors, 'ERR_FILE_TYPE', 'ERR_FILE_TOO_LARGE', 'ERR_ADDRESS_REFUSED', 'ERR_FILE_FETCH'],
  },
  picturesFile: {
    summary: 'Mudar a imagem de grupos por um arquivo',
    mode: 'slow',
    body: pictureFileForm,
    ...started,
    errors: [...started.errors, 'ERR_FILE_TYPE', 'ERR_FILE_TOO_LARGE'],
  },
  adminsOnly: { summary: 'Só administradores enviam mensagens, ou todos', body: adminsOnlyForm, ...started },
  promote: { summary: 'Tornar participantes administradores', body: participantsForm, ...started },
  demote: { summary: 'Tirar a administração de participantes', body: participantsForm, ...started },
  add: { summary: 'Adicionar números a grupos', body: participantsForm, ...started },
  remove: { summary: 'Remover participantes de grupos', body: participantsForm, ...started },
})

const gone = ['ERR_NO_GROUP_JOB_FOUND'] as const
const move = { returns: groupJob, errors: [...gone, 'ERR_GROUP_JOB_STATE'], audit: true } as const

/** API contract of bulk jobs, which change one group after the other at the number's pace. */
export const groupJobs = contract(at.groupJobs, {
  list: {
    summary: 'Tarefas de grupos, da mais nova à mais antiga',
    query: pageQuery.omit({ searchParam: true }).extend({ kind: many(z.enum(GROUP_JOB_KINDS)) }),
    returns: z.object({ jobs: z.array(groupJob), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: { summary: 'Uma tarefa e o seu andamento', returns: groupJob, errors: gone },
  items: {
    summary: 'Os grupos de uma tarefa e o que foi feito em cada um',
    query: pageQuery.omit({ searchParam: true }).extend({ state: many(z.enum(GROUP_ITEM_STATES)) }),
    returns: z.object({ items: z.array(jobItem), ...pageAnswer }),
    errors: [...gone, 'ERR_PAGE_TOO_FAR'],
  },
  pause: { summary: 'Pausar uma tarefa', ...move },
  resume: { summary: 'Continuar uma tarefa', ...move },
  cancel: { summary: 'Encerrar uma tarefa: o que ainda não foi feito não é mais', ...move },
  retry: { summary: 'Tentar de novo onde falhou', ...move },
})

const kind = z.enum(GROUP_RULE_KINDS)
const unknownRule = ['ERR_NO_GROUP_RULE_FOUND'] as const
const refusals = [...channelErrors, 'ERR_NO_GROUP_FOUND', 'ERR_GROUP_RULE_EXISTS'] as const

/** API contract of automatic group rules: greetings, farewells, banned numbers, forbidden words. */
export const groupRules = contract(at.groupRules, {
  list: {
    summary: 'O que acontece por conta própria nos grupos, de um tipo, do mais novo ao mais antigo',
    query: pageQuery.extend({ kind, whatsappId: id.optional() }),
    returns: z.object({ rules: z.array(rule), ...pageAnswer }),
    errors: ['ERR_PAGE_TOO_FAR'],
  },
  get: { summary: 'Um item', returns: rule, errors: unknownRule },
  create: {
    summary: 'Cadastrar uma saudação, despedida, número banido ou palavra proibida de um grupo',
    body: ruleForm,
    returns: rule,
    errors: refusals,
    audit: true,
  },
  update: {
    summary: 'Mudar um item',
    body: ruleForm,
    returns: rule,
    errors: [...unknownRule, ...refusals],
    audit: true,
  },
  remove: { summary: 'Excluir um item', returns: done, errors: unknownRule, audit: true },
  clear: {
    summary: 'Excluir todos os itens de um tipo',
    query: z.object({ kind }),
    returns: z.object({ removed: count }),
    audit: true,
  },
})

/** Events for users who manage groups. */
export const groupToolEvents = events(at.groupToolEvents, {
  changed: z.object({ what: z.enum(['groups', 'jobs', 'rules']) }),
})

declare module '#kit/contract.ts' {
  interface Contracts {
    groupTools: typeof groupTools
    groupJobs: typeof groupJobs
    groupRules: typeof groupRules
  }
  interface Events {
    groupToolEvents: typeof groupToolEvents
  }
}
