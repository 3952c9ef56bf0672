import { Suspense, useState } from 'react'
import { contactScreens } from '#features/messages/web/registries/contact-screens.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'
import { campaigns } from '../addresses.ts'
import css from './campaigns.module.css'

const ContactChoice = lazyPart(async () => await contactScreens().loadChoice())

/** Dialog that sends one message of a campaign to one contact as a test, without counting it. */
export function TestDialog({ id, message, onClose }: { id: number; message: number; onClose: () => void }) {
  const [contact, setContact] = useState<{ id: number; name: string } | null>(null)
  const send = async () => {
    if (!contact) return
    await attempt(
      async () => {
        const body = { contactId: contact.id, message }
        await call(campaigns.test, { params: { id }, body }, { quiet: true, long: true })
        onClose()
      },
      t('Teste enviado a {name}', { name: contact.name }),
    )
  }
  return (
    <FormDialog
      title={t('Enviar um teste')}
      action={contact ? t('Enviar a {name}', { name: contact.name }) : t('Enviar')}
      onSubmit={send}
      onClose={onClose}
    >
      <Suspense>
        <ContactChoice chosen={contact?.id ?? null} onChoose={(chosen, name) => setContact({ id: chosen, name })} />
      </Suspense>
      <p className={css.hint}>{t('Escolha o seu próprio contato, por exemplo. O teste não conta na campanha.')}</p>
    </FormDialog>
  )
}
