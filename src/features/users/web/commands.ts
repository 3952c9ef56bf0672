import type { Command } from '#web/ui/command.ts'
import {
  AccessIcon,
  ComputerIcon,
  DeleteIcon,
  EditIcon,
  EmailIcon,
  LockIcon,
  QueuesIcon,
  SecondFactorIcon,
  TicketsIcon,
} from '#web/ui/icons.ts'
import type { UserRow } from '../contract.ts'
import type { Section } from './form-values.ts'

/** The menu of a row of the users' list. */
export function userCommands(
  row: UserRow,
  does: {
    isOwn: boolean
    /** Somebody above the one who looks: nothing of theirs is changed. */
    isAbove: boolean
    open: (section?: Section) => void
    invite: () => void
    access: () => void
    endSessions: () => void
    resetSecondFactor: () => void
    remove: () => void
  },
): Command[] {
  const { isOwn, isAbove, open } = does
  const mayChange = () => !isAbove
  const mayTouch = () => !isAbove && !isOwn
  return [
    { id: 'edit', label: 'Editar', icon: EditIcon, when: mayChange, run: () => open() },
    { id: 'queues', label: 'Filas e canais', icon: QueuesIcon, when: mayChange, run: () => open('filas') },
    { id: 'hours', label: 'Acesso e telas', icon: TicketsIcon, when: mayChange, run: () => open('acesso') },
    {
      id: 'invite',
      group: 'account',
      label: row.isInvited ? 'Convidar de novo' : 'Redefinir senha',
      icon: row.isInvited ? EmailIcon : LockIcon,
      when: () => mayTouch() && row.isActive !== false,
      run: does.invite,
    },
    {
      id: 'access',
      group: 'account',
      label: 'Ver acessos',
      icon: AccessIcon,
      when: () => row.isActive !== false,
      run: does.access,
    },
    {
      id: 'sessions',
      group: 'account',
      label: 'Encerrar dispositivos',
      icon: ComputerIcon,
      when: mayTouch,
      run: does.endSessions,
    },
    {
      id: 'secondFactor',
      label: 'Tirar segundo fator…',
      icon: SecondFactorIcon,
      when: () => mayTouch() && row.isActive !== false,
      run: does.resetSecondFactor,
    },
    { id: 'remove', label: 'Excluir…', icon: DeleteIcon, tone: 'neg', when: mayTouch, run: does.remove },
  ]
}
