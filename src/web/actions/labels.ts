import type { ComponentType } from 'react'
import type { Action, ActionKind } from '#domain/actions/actions.ts'
import { present } from '#domain/present.ts'
import { plural, t } from '../t.ts'
import {
  CheckIcon,
  FunnelIcon,
  KanbanIcon,
  NoteIcon,
  PersonIcon,
  QueuesIcon,
  SendIcon,
  SnoozeIcon,
  TagIcon,
} from '../ui/icons.ts'

type Kind = { readonly label: string; readonly icon: ComponentType<{ size?: number | string }> }

/** Label and icon of each kind of action, in the order in which they are offered. */
export const KINDS: Readonly<Record<ActionKind, Kind>> = {
  tag: { label: t('Etiquetar'), icon: TagIcon },
  untag: { label: t('Tirar etiquetas'), icon: TagIcon },
  queue: { label: t('Passar para uma fila'), icon: QueuesIcon },
  person: { label: t('Passar para uma pessoa'), icon: PersonIcon },
  stage: { label: t('Mudar a etapa do kanban'), icon: KanbanIcon },
  opportunity: { label: t('Criar uma oportunidade'), icon: FunnelIcon },
  note: { label: t('Escrever uma nota interna'), icon: NoteIcon },
  text: { label: t('Enviar um texto ao cliente'), icon: SendIcon },
  snooze: { label: t('Adiar'), icon: SnoozeIcon },
  close: { label: t('Resolver'), icon: CheckIcon },
}

/** Units of a step's duration, the largest first, in minutes. */
export const UNITS = [
  { minutes: 1440, one: t('dia'), many: t('dias') },
  { minutes: 60, one: t('hora'), many: t('horas') },
  { minutes: 1, one: t('minuto'), many: t('minutos') },
] as const

/** Returns the largest unit that divides so many minutes evenly. */
export const unitOf = (minutes: number): (typeof UNITS)[number] =>
  present(UNITS.find((unit) => minutes % unit.minutes === 0))

/** Action with the names that it refers to; `problem`: some of them no longer exist. */
type Described = { readonly action: Action; readonly names: readonly string[]; readonly problem: string | null }

/** Formats an action as text. */
export function labelOf({ action, names, problem }: Described): string {
  const called = names.length > 0 ? names.join(', ') : problem ? t('(excluída)') : ''
  switch (action.kind) {
    case 'tag':
      return t('Etiquetar: {names}', { names: called })
    case 'untag':
      return t('Tirar etiquetas: {names}', { names: called })
    case 'queue':
      return t('Passar para a fila {name}', { name: called })
    case 'person':
      if (action.userId === null) return t('Passar para quem usa a macro')
      return t('Passar para {name}', { name: called || t('(pessoa que saiu)') })
    case 'stage':
      return t('Mudar para a etapa {name}', { name: called })
    case 'opportunity':
      return t('Criar uma oportunidade em {name}', { name: called })
    case 'note':
      return t('Escrever uma nota interna')
    case 'text':
      return t('Enviar um texto ao cliente')
    case 'close':
      return action.reasonId == null ? t('Resolver') : t('Resolver: {name}', { name: called })
    case 'snooze': {
      const unit = unitOf(action.minutes)
      return t('Adiar por {span}', { span: plural(action.minutes / unit.minutes, unit.one, unit.many) })
    }
  }
}
