import { attempt } from '#web/attempt.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import {
  AccessIcon,
  BlockIcon,
  CheckIcon,
  ComputerIcon,
  DeleteIcon,
  EditIcon,
  EmailIcon,
  LockIcon,
  QueuesIcon,
  SecondFactorIcon,
  TicketsIcon,
} from '#web/ui/icons.ts'
import type { Command } from '#web/ui/layout/command.ts'
import type { UserRow } from '../contract.ts'
import { endSessions, invite, isAbove, remove, resetSecondFactor, setActive } from './acts.ts'
import type { Section } from './form-values.ts'
import type { Invitation } from './invite-link.tsx'

/** Returns the menu of a row in the users' list. */
export function userCommands(
  row: UserRow,
  does: { open: (section?: Section) => void; access: () => void; onInvited: (invitation: Invitation) => void },
): Command[] {
  const { open, access, onInvited } = does
  const mayChange = () => !isAbove(row)
  const mayTouch = () => !isAbove(row) && row.id !== viewer().userId
  return [
    { id: 'edit', label: t('Editar'), icon: EditIcon, when: mayChange, run: () => open() },
    { id: 'queues', label: t('Filas e canais'), icon: QueuesIcon, when: mayChange, run: () => open('filas') },
    { id: 'hours', label: t('Acesso e telas'), icon: TicketsIcon, when: mayChange, run: () => open('acesso') },
    {
      id: 'invite',
      group: 'account',
      label: row.isInvited ? t('Convidar de novo') : t('Redefinir senha'),
      icon: row.isInvited ? EmailIcon : LockIcon,
      when: () => mayTouch() && row.isActive !== false,
      run: () => void attempt(async () => onInvited(await invite(row))),
    },
    {
      id: 'active',
      group: 'account',
      label: row.isActive === false ? t('Ativar') : t('Desativar…'),
      icon: row.isActive === false ? CheckIcon : BlockIcon,
      when: mayTouch,
      run: () => void setActive(row, row.isActive === false),
    },
    {
      id: 'access',
      group: 'account',
      label: t('Ver acessos'),
      icon: AccessIcon,
      when: () => row.isActive !== false,
      run: access,
    },
    {
      id: 'sessions',
      group: 'account',
      label: t('Encerrar dispositivos'),
      icon: ComputerIcon,
      when: mayTouch,
      run: () => void endSessions(row),
    },
    {
      id: 'secondFactor',
      label: t('Tirar segundo fator…'),
      icon: SecondFactorIcon,
      when: () => mayTouch() && row.isActive !== false,
      run: () => void resetSecondFactor(row),
    },
    { id: 'remove', label: t('Excluir…'), icon: DeleteIcon, tone: 'neg', when: mayTouch, run: () => void remove(row) },
  ]
}
