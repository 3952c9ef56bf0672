import { namesIn } from '../messages/template.ts'
import { callTexts } from './calls.ts'
import { askedBy } from './choices.ts'
import type { FlowNode, Interaction, OutsideCall } from './flow.ts'
import { interactionKind } from './kinds.ts'
import { UNDIRECTED } from './read.ts'
import {
  countMessage,
  direct,
  effect,
  explain,
  giveUp,
  type Run,
  rendered,
  send,
  sendText,
  setTimer,
  update,
  valuesOf,
} from './run.ts'

/** Does one interaction; the session may wait or have ended after it. */
export function perform(run: Run, interaction: Interaction): void {
  switch (interaction.does) {
    case 'message':
      sendText(run, interaction.text)
      break
    case 'options':
      sendOptions(run, interaction)
      break
    case 'media':
      if (interaction.media.fileId === null) explain(run, 'O arquivo não foi enviado: ele não está guardado.')
      else
        send(run, { type: 'media', media: { ...interaction.media, caption: rendered(run, interaction.media.caption) } })
      break
    case 'delay':
      if (interaction.ms > 0) {
        const id = setTimer(run, 'delay', run.at + interaction.ms)
        update(run, { waiting: { for: 'delay', id } })
      }
      break
    case 'tag':
      if (interaction.tagId !== null) effect(run, { type: 'tag', tagId: interaction.tagId })
      break
    case 'stage':
      if (interaction.kanban !== null) effect(run, { type: 'stage', kanban: interaction.kanban })
      break
    case 'reason':
      if (interaction.reasonId !== null) effect(run, { type: 'reason', reasonId: interaction.reasonId })
      break
    case 'note': {
      const text = rendered(run, interaction.text)
      if (text.trim() !== '') effect(run, { type: 'note', text })
      break
    }
    case 'schedule':
      schedule(run, interaction)
      break
    case 'textMessage': {
      const body = rendered(run, interaction.text).trim()
      if (body !== '' && countMessage(run))
        effect(run, { type: 'textMessage', body, connectionId: interaction.connectionId })
      break
    }
    case 'call':
      callOut(run, interaction.call)
      break
    case 'flow':
      if (interaction.chatFlowId === null) giveUp(run, 'O fluxo quis iniciar outro fluxo que não existe.')
      else {
        effect(run, { type: 'flow', chatFlowId: interaction.chatFlowId })
        update(run, { waiting: { for: 'flow' } })
      }
      break
    case 'block':
      effect(run, { type: 'block', isBlocked: interaction.isBlocked })
      if (interaction.isBlocked)
        direct(run, UNDIRECTED, { why: 'O ChatBot foi bloqueado para o contato.', end: 'done' })
      break
    case 'nothing': {
      const label = interactionKind(interaction.type)?.label ?? interaction.type
      if (interaction.isLast)
        direct(run, UNDIRECTED, {
          why: `“${label}” não está disponível: o atendimento vai para uma pessoa.`,
          end: 'done',
        })
      else explain(run, `“${label}” não está disponível e foi pulado.`)
    }
  }
}

/** Schedules a message as it reads now. */
function schedule(run: Run, { text, media, when }: Extract<Interaction, { does: 'schedule' }>): void {
  const body = rendered(run, text).trim()
  if ((body !== '' || media) && countMessage(run))
    effect(run, { type: 'schedule', body, media: media?.fileId ? media : null, when })
}

/** What a node says once more after an answer that nothing understood: its words, none of its deeds. */
export function repeat(run: Run, node: FlowNode): void {
  for (const interaction of node.interactions) {
    if (run.session.end !== null) return
    if (interaction.does === 'message' || interaction.does === 'options' || interaction.does === 'media')
      perform(run, interaction)
  }
}

function sendOptions(run: Run, { text, options }: Extract<Interaction, { does: 'options' }>): void {
  const body = rendered(run, text)
  const labels = options.map((option) => rendered(run, option))
  send(run, { type: 'send', ...askedBy(run.facts.channel, body, labels) })
}

function callOut(run: Run, call: OutsideCall): void {
  const { chatFlowId, version, nodeId, position } = run.session
  const all = valuesOf(run)
  const names = callTexts(call)
    .flatMap(namesIn)
    .filter((name) => Object.hasOwn(all, name))
  const id = effect(run, {
    type: 'call',
    call: { chatFlowId, version, nodeId: nodeId ?? '', index: position - 1 },
    values: Object.fromEntries(names.map((name) => [name, all[name] ?? ''])),
  })
  if (call.saveAs !== '') update(run, { waiting: { for: 'call', id, saveAs: call.saveAs } })
}
