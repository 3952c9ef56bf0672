import { notifyError } from '#web/api.ts'
import { call } from '#web/client.ts'
import { plural, t } from '#web/t.ts'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { notify } from '#web/ui/feedback/notify.tsx'
import { ticketCommands } from '../../commands-addresses.ts'

/**
 * “Limpar memória”: makes assistants forget the messages of a ticket or of a connection's tickets; asks first, because it is
 * irreversible.
 */
export async function clearMemory(of: { ticketId: number } | { whatsappId: number }, name: string): Promise<void> {
  const sure = await confirm({
    title: t('Limpar a memória dos assistentes em “{name}”?', { name }),
    text: t('Na próxima mensagem eles começam do zero. As conversas ficam como estão; isto não pode ser desfeito.'),
    action: t('Limpar memória'),
  })
  if (!sure) return
  try {
    const { cleared } = await call(ticketCommands.clear, { query: of }, { quiet: true })
    if (cleared === 0) notify({ tone: 'info', title: t('Os assistentes não se lembravam de nada') })
    else
      notify({
        tone: 'pos',
        title: plural(cleared, t('memória de assistente limpa'), t('memórias de assistente limpas')),
      })
  } catch (error) {
    notifyError(error)
  }
}
