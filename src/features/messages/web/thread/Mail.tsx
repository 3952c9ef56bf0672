import { Button, Modal, Switch } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { type MailPerson, mailOf } from '#domain/messages/mail.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import '#web/errors.ts'
import { t } from '#web/t.ts'
import css from './mail.module.css'

/** Text of a mail between its header and its footer. */
export const Mail = ({ message, children }: { message: MessageRow; children: ReactNode }) => (
  <>
    <MailHeader message={message} />
    {children}
    <MailFooter message={message} />
  </>
)

/** Header of a mail: subject, sender and other receivers. */
function MailHeader({ message }: { message: MessageRow }) {
  const mail = mailOf(message.data)
  if (!mail) return null
  const { subject, from, to, cc, bcc = [] } = mail
  const rows: readonly (readonly [string, readonly MailPerson[]])[] = [
    [t('De'), from ? [from] : []],
    [t('Para'), to],
    [t('Cc'), cc],
    [t('Cco'), bcc],
  ]
  return (
    <header className={css.header}>
      <b>{subject || t('(sem assunto)')}</b>
      {rows.map(([label, people]) =>
        people.length === 0 ? null : (
          <span key={label}>
            {label}: <bdi title={people.map(({ address }) => address).join(', ')}>{people.map(nameOf).join(', ')}</bdi>
          </span>
        ),
      )}
      {mail.isAutomatic && <span>{t('E-mail automático ou de lista')}</span>}
    </header>
  )
}

const nameOf = ({ name, address }: MailPerson): string => (name ? `${name} <${address}>` : address)

/** Footer of a mail: the quoted text and the formatted version. */
function MailFooter({ message }: { message: MessageRow }) {
  const mail = mailOf(message.data)
  const [isUnfolded, setUnfolded] = useState(false)
  const [isShown, setShown] = useState(false)
  if (!mail?.quoted && !mail?.hasHtml) return null
  return (
    <footer className={css.footer}>
      {isUnfolded && <p className={css.quoted}>{mail.quoted}</p>}
      {mail.quoted && (
        <Button variant="subtle" size="compact-xs" aria-expanded={isUnfolded} onClick={() => setUnfolded(!isUnfolded)}>
          {isUnfolded ? t('Esconder o texto citado') : t('Mostrar o texto citado')}
        </Button>
      )}
      {mail.hasHtml && (
        <Button variant="subtle" size="compact-xs" onClick={() => setShown(true)}>
          {t('Ver formatado')}
        </Button>
      )}
      {isShown && <FormattedMail id={message.id} subject={mail.subject} onClose={() => setShown(false)} />}
    </footer>
  )
}

/** Mail as formatted by its author, in a sandboxed frame; external pictures load on request. */
function FormattedMail({ id, subject, onClose }: { id: string; subject: string; onClose: () => void }) {
  const link = useQuery({ ...query(messages.formatted, { params: { id } }), staleTime: 300_000 })
  const [withPictures, setWithPictures] = useState(false)
  return (
    <Modal opened onClose={onClose} size="xl" title={subject || t('(sem assunto)')}>
      <Switch
        label={t('Mostrar imagens de fora')}
        description={t('Quem enviou pode saber que o e-mail foi aberto.')}
        checked={withPictures}
        onChange={(event) => setWithPictures(event.currentTarget.checked)}
      />
      {link.error && <p role="alert">{sentence(link.error)}</p>}
      {link.data && (
        <iframe
          className={css.frame}
          title={t('E-mail formatado')}
          sandbox="allow-popups allow-popups-to-escape-sandbox"
          referrerPolicy="no-referrer"
          src={`${link.data.url}${withPictures ? '?pictures=1' : ''}`}
        />
      )}
    </Modal>
  )
}
