import { readFlow } from '#domain/flow/read.ts'
import type { FlowEffect } from '#domain/flow/session.ts'
import type { Simulated } from '#domain/flow/simulate.ts'
import type { Input, Returned } from '#kit/contract.ts'
import { required } from '#kit/errors.ts'
import type { flows } from '../contract.ts'
import { documentIn } from './documents.ts'
import { type Asking, conversationOf, playerOf } from './play.ts'
import { findFlow } from './queries.ts'
import { listSecrets } from './queries-secrets.ts'
import { withMasks } from './secrets.ts'

/** Plays a conversation with the draft of a flow, with secrets masked. */
export async function simulateDraft(
  ctx: Asking,
  id: number,
  body: Input<typeof flows.simulate>['body'],
): Promise<Returned<typeof flows.simulate>> {
  const row = required(await findFlow(ctx.db, id), 'ERR_NO_CHAT_FLOW_FOUND')
  const flow = readFlow(withMasks(documentIn(row), await listSecrets(ctx.db, id)))
  const conversation = await conversationOf(ctx, body)
  const { contactId } = conversation
  const play = await playerOf(ctx, { chatFlowId: id, version: 0, flow }, contactId === null ? [] : [contactId])
  const { messages, path, steps, effects, session, known, call } = play(conversation)
  const used = Object.entries(known).filter(([name, value]) => flow.variables.has(name) && value !== '')
  return {
    messages: [...messages],
    path: [...path],
    end: session.end,
    steps: [...steps],
    variables: session.variables,
    contactName: known['name'] ?? '',
    known: Object.fromEntries(used.filter(([name]) => !Object.hasOwn(session.variables, name))),
    waiting: session.waiting?.for ?? null,
    call,
    effects: effects.map(shownEffect),
  }
}

function shownEffect(effect: Simulated['effects'][number]) {
  const { at, number, event, type } = effect
  const about = () => {
    switch (effect.type) {
      case 'note':
        return { text: effect.text }
      case 'tag':
        return { id: effect.tagId }
      case 'stage':
        return { id: effect.kanban }
      case 'reason':
        return { id: effect.reasonId }
      case 'flow':
        return { id: effect.chatFlowId }
      case 'direct':
        return { id: idOfDirection(effect), to: effect.direction.to, userId: effect.userId, text: effect.reason }
      case 'block':
        return { text: effect.isBlocked ? 'Bloqueia o ChatBot para o contato' : 'Libera o ChatBot para o contato' }
      case 'schedule':
      case 'textMessage':
        return { text: effect.body }
      case 'opportunity':
        return { text: effect.name }
      case 'calendarEvent':
        return { text: effect.title }
      case 'call':
        return { text: 'Chama um sistema externo' }
      case 'assistant':
        return { text: 'Pergunta ao assistente' }
      case 'phoneCall':
        return { text: 'Liga para o cliente' }
      default:
        return {}
    }
  }
  return { at, number, event, type, id: null, to: null, userId: null, text: '', ...about() }
}

function idOfDirection({ direction, userId }: Extract<FlowEffect, { type: 'direct' }>): number | null {
  if (direction.to === 'queue') return direction.queueId
  if (direction.to === 'user') return userId
  return direction.to === 'channel' ? direction.connectionId : null
}
