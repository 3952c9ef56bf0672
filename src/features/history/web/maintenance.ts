import { messages } from '#features/messages/addresses.ts'
import { mendDates } from '#features/tickets/web/commands/plain.ts'
import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { may } from '#web/session/permissions.ts'
import { plural, t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import type { Command } from '#web/ui/layout/command.ts'
import { history } from '../addresses.ts'

async function resolvePending(): Promise<void> {
  try {
    const { requeued, uncertain } = await call(messages.resolvePending, {}, { quiet: true })
    notify({
      tone: requeued > 0 ? 'pos' : 'info',
      title:
        requeued > 0
          ? plural(requeued, t('mensagem voltou à fila'), t('mensagens voltaram à fila'))
          : t('Nenhuma mensagem estava parada'),
      ...(uncertain > 0
        ? { text: plural(uncertain, t('incerta espera uma pessoa'), t('incertas esperam uma pessoa')) }
        : {}),
    })
  } catch (error) {
    notifyError(error)
  }
}

async function restoreTimes(): Promise<void> {
  try {
    notify({ tone: 'info', title: (await call(history.restoreTimes, { body: {} }, { quiet: true })).message })
  } catch (error) {
    notifyError(error)
  }
}

/** Maintenance commands for the company's conversations, offered in the settings. */
export const maintenance: readonly Command[] = [
  {
    id: 'resolve-pending',
    label: t('Reenviar mensagens paradas'),
    when: () => may('messages:repair'),
    run: () => void resolvePending(),
  },
  {
    id: 'restore-times',
    label: t('Conferir os horários das mensagens importadas'),
    when: () => may('messages:import'),
    run: () => void restoreTimes(),
  },
  {
    id: 'mend-dates',
    label: t('Conferir as datas dos atendimentos'),
    when: () => may('tickets:maintain'),
    run: () => void mendDates(),
  },
]
