import { Modal } from '@mantine/core'
import { useState } from 'react'
import type { Peer } from '#domain/private-chat/conversation.ts'
import { useAsking } from '#features/messages/web/acts/use-asking.ts'
import { uuid } from '#web/api.ts'
import { call } from '#web/client.ts'
import { openPath } from '#web/shell/route.ts'
import { plural, t } from '#web/t.ts'
import { DialogEnd } from '#web/ui/feedback/DialogEnd.tsx'
import dialogs from '#web/ui/feedback/dialogs.module.css'
import { notify } from '#web/ui/feedback/notify.tsx'
import { privateChat } from '../addresses.ts'
import { ChatList } from './ChatList.tsx'
import { pathOf } from './paths.ts'
import css from './private-chat.module.css'
import { takeMessages } from './threads.ts'

/** Dialog that chooses the colleague or team to forward messages to, from a ticket (`ticketId`) or the private chat. */
export function ForwardToColleague(props: {
  messages: readonly string[]
  ticketId: number | null
  onClose: () => void
}) {
  const { messages, ticketId, onClose } = props
  const [peer, setPeer] = useState<Peer | null>(null)
  const [id] = useState(uuid)
  const { busy, problems, ask } = useAsking(onClose)
  const forward = (to: Peer) =>
    ask(async () => {
      const whom = to.isGroup ? { groupId: to.id } : { receiverId: to.id }
      const body = { id, messages: [...messages], ticketId, isGroup: to.isGroup, ...whom }
      const { mensagens } = await call(privateChat.forward, { body }, { quiet: true })
      takeMessages(to, mensagens)
      notify({
        tone: 'pos',
        title: plural(mensagens.length, t('mensagem encaminhada'), t('mensagens encaminhadas')),
        action: { label: t('Abrir'), run: () => openPath(pathOf(to)) },
      })
    })
  return (
    <Modal opened onClose={onClose} size={440} title={t('Encaminhar para Chat Privado')}>
      <div className={dialogs.form}>
        <div className={css.choice}>
          <ChatList chosen={peer} onOpen={setPeer} isPicker />
        </div>
        <DialogEnd
          problem={problems['']}
          action={t('Encaminhar')}
          isReady={peer !== null}
          busy={busy}
          onClose={onClose}
          onRun={() => peer && void forward(peer)}
        />
      </div>
    </Modal>
  )
}
