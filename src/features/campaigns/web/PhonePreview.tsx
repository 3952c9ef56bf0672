import { Button, SegmentedControl } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { RichText } from '#features/messages/web/parts/rich-text.tsx'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { formatTime } from '#web/format.ts'
import { t } from '#web/t.ts'
import { FileIcon, SendIcon } from '#web/ui/icons.ts'
import { Avatar } from '#web/ui/identity/Avatar.tsx'
import { campaigns } from '../addresses.ts'
import type { Campaign } from '../contract.ts'
import css from './campaigns.module.css'
import { TestDialog } from './TestDialog.tsx'

/** Preview of a campaign's messages on a phone, to the given contact or the first recipient. */
export function PhonePreview(props: { id: string; row: Campaign; contactId: number | null }) {
  const { row, contactId } = props
  const { id, contactsCount } = row
  const [at, setAt] = useState(0)
  const [isTesting, setTesting] = useState(false)
  const { data: first } = useQuery({
    ...query(campaigns.contacts, { params: { id }, query: {} }),
    enabled: contactsCount > 0 && contactId === null,
  })
  const of = contactId ?? first?.contacts[0]?.contactId
  const { data, error } = useQuery({
    ...query(campaigns.preview, { params: { id, contactId: of ?? 0 } }),
    enabled: of !== undefined,
  })
  const raw = [row.message1, row.message2, row.message3].filter((one) => one !== '')
  const texts = data?.messages ?? (raw.length > 0 ? raw : [row.template?.name ?? ''])
  const shown = Math.min(at, texts.length - 1)
  return (
    <aside id={props.id} className={css.preview} aria-label={t('Como a mensagem é lida')}>
      {texts.length > 1 && (
        <SegmentedControl
          fullWidth
          aria-label={t('Qual mensagem')}
          data={texts.map((_, n) => ({ value: String(n), label: t('Mensagem {n}', { n: n + 1 }) }))}
          value={String(shown)}
          onChange={(next) => setAt(Number(next))}
        />
      )}
      <PhoneScreen row={row} text={texts[shown] ?? ''} />
      <Button variant="default" leftSection={<SendIcon size={17} />} onClick={() => setTesting(true)}>
        {t('Enviar um teste')}
      </Button>
      {isTesting && <TestDialog id={id} message={shown + 1} onClose={() => setTesting(false)} />}
      <p className={css.hint}>
        {error
          ? sentence(error)
          : data
            ? t('Como {name} lê a mensagem', { name: data.name })
            : contactsCount === 0 && t('Sem contatos, as variáveis aparecem pelo nome.')}
      </p>
    </aside>
  )
}

function PhoneScreen({ row, text }: { row: Campaign; text: string }) {
  return (
    <div className={css.phone}>
      <header>
        <Avatar id={row.sessionId ?? 0} name={row.sessionName} src={null} size={34} />
        <div>
          <b>{row.sessionName}</b>
          <small>{t('conta comercial')}</small>
        </div>
      </header>
      <div className={css.chat}>
        <div className={css.bubble}>
          {row.mediaUrl && row.mediaType === 'image' && <img src={row.mediaUrl} alt="" />}
          {row.mediaUrl && row.mediaType !== 'image' && (
            <span className={css.media}>
              <FileIcon size={17} /> {row.mediaName}
            </span>
          )}
          <p>
            <RichText text={text} />
          </p>
          <time>{formatTime(Date.now())}</time>
        </div>
      </div>
    </div>
  )
}
