import { Button, Modal, TextInput } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { sentence } from '#web/api.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { CopyIcon } from '#web/ui/icons.ts'
import css from './users.module.css'

/** Hook that shows the result of an invitation: a message that it was mailed, or a dialog with its link. */
export function useInvitation(): { invited: (invitation: Invitation) => void; link: ReactNode } {
  const [invitation, setInvitation] = useState<Invitation | null>(null)
  const invited = (next: Invitation) => {
    if (next.isMailed) notify({ tone: 'pos', title: t('Link enviado para {email}', { email: next.email }) })
    else setInvitation(next)
  }
  return { invited, link: invitation && <InviteLink invitation={invitation} onClose={() => setInvitation(null)} /> }
}

/** Result of an invitation: mailed, or a link that is shown once. */
export type Invitation = { name: string; email: string; isMailed: boolean; link: string | null }

/** Dialog with an invitation link to copy, shown once if no mail could be sent. */
function InviteLink({ invitation, onClose }: { invitation: Invitation; onClose: () => void }) {
  const address = new URL(invitation.link ?? '', location.origin).href
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(address)
      notify({ tone: 'pos', title: t('Link copiado') })
    } catch (error) {
      notify({
        tone: 'neg',
        title: t('O navegador não deixou copiar. Selecione o link e copie.'),
        text: sentence(error),
      })
    }
  }
  return (
    <Modal opened onClose={onClose} size={480} title={t('Envie este link para {name}', { name: invitation.name })}>
      <p className={css.hint}>
        {t(
          'O envio de e-mails não está configurado, então o link fica com você. Ele vale por 72 horas, para uma só vez, e não será mostrado de novo.',
        )}
      </p>
      <div className={css.link}>
        <TextInput
          readOnly
          aria-label={t('Link para definir a senha')}
          value={address}
          onFocus={(event) => event.currentTarget.select()}
        />
        <Button leftSection={<CopyIcon size={17} />} onClick={() => void copy()} data-autofocus>
          {t('Copiar')}
        </Button>
      </div>
      <div className={css.footer}>
        <Button variant="default" onClick={onClose}>
          {t('Pronto')}
        </Button>
      </div>
    </Modal>
  )
}
