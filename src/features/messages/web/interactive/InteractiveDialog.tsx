import { Modal, Select } from '@mantine/core'
import { useState } from 'react'
import { FRAME_LIMITS, type InteractiveType } from '#domain/messages/interactive.ts'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import { uuid } from '#web/api.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { DialogEnd } from '#web/ui/feedback/DialogEnd.tsx'
import dialogs from '#web/ui/feedback/dialogs.module.css'
import { useUnknownVariables } from '#web/variables.ts'
import { useAsking } from '../acts/use-asking.ts'
import { adoptSent } from '../cache/thread-cache.ts'
import { Pressable } from '../media/Pressable.tsx'
import { RichText } from '../parts/rich-text.tsx'
import { filledIn } from '../replies/quick-replies.ts'
import { Counted } from './Counted.tsx'
import css from './interactive.module.css'
import { KindFields } from './KindFields.tsx'
import {
  dataOf,
  emptyDraft,
  hasFooter,
  hasHeader,
  isWritten,
  kindsOf,
  type MessageDraft,
  problemsOf,
  requestOf,
} from './message-draft.ts'

const NAMES: Readonly<Record<InteractiveType, string>> = {
  buttons: t('Botões de resposta'),
  list: t('Lista de opções'),
  cta_url: t('Botão com link'),
  location_request: t('Pedido de localização'),
  form: t('Formulário (WhatsApp Flow)'),
}

/** Dialog that sends an interactive message of a kind that the channel supports; checks the channel's limits while one types. */
export function InteractiveDialog({ ticket, onClose }: { ticket: TicketDetail; onClose: () => void }) {
  const limits = ticket.capabilities
  const kinds = kindsOf(limits)
  const [draft, setDraft] = useState(() => emptyDraft(kinds[0] ?? 'buttons'))
  const [idFront] = useState(uuid)
  const { busy, problems: refused, ask } = useAsking(onClose)
  // Check and preview the text as it will be sent.
  const filled = { ...draft, body: filledIn(draft.body, ticket), footer: filledIn(draft.footer, ticket) }
  const own = problemsOf(filled, limits)
  const problems = { ...refused, ...own }
  const unknown = useUnknownVariables([draft.body, draft.footer].join('\n'))
  const change = (changes: Partial<MessageDraft>) => setDraft({ ...draft, ...changes })
  const { type, header, body, footer } = draft
  const send = async () => {
    const { messages: sent } = await call(
      messages.buttons,
      { body: requestOf(filled, ticket.id, idFront) },
      { quiet: true },
    )
    adoptSent(ticket.id, sent)
  }
  return (
    <Modal opened onClose={onClose} size={720} title={t('Mensagem interativa')}>
      <form
        className={dialogs.form}
        onSubmit={(event) => {
          event.preventDefault()
          void ask(send)
        }}
      >
        <div className={css.halves}>
          <div className={css.fields}>
            {kinds.length > 1 && (
              <Select
                label={t('Tipo')}
                allowDeselect={false}
                data={kinds.map((value) => ({ value, label: NAMES[value] }))}
                value={type}
                onChange={(value) => change({ type: value as InteractiveType })}
              />
            )}
            {hasHeader(type) && (
              <Counted
                label={t('Título (opcional)')}
                value={header}
                most={FRAME_LIMITS.header}
                error={problems['header']}
                onChange={(text) => change({ header: text })}
              />
            )}
            <Counted
              isLong
              isFirst
              label={t('Mensagem')}
              value={body}
              most={FRAME_LIMITS.body}
              error={problems['body'] ?? unknown ?? undefined}
              onChange={(text) => change({ body: text })}
            />
            <KindFields draft={draft} limits={limits} problems={problems} onChange={change} />
            {hasFooter(type) && (
              <Counted
                label={t('Rodapé (opcional)')}
                value={footer}
                most={FRAME_LIMITS.footer}
                error={problems['footer']}
                onChange={(text) => change({ footer: text })}
              />
            )}
          </div>
          <div className={css.preview} role="group" aria-label={t('Como será lido')}>
            <div className={css.bubble}>
              {hasHeader(type) && header && <b>{header}</b>}
              <p>
                <RichText text={filled.body || '…'} />
              </p>
              <Pressable type={type} data={dataOf(filled)} />
            </div>
          </div>
        </div>
        <DialogEnd
          problem={problems['']}
          action={t('Enviar')}
          isReady={isWritten(draft) && Object.keys(own).length === 0}
          busy={busy}
          onClose={onClose}
        />
      </form>
    </Modal>
  )
}
