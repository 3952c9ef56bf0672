import { Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { contactScreens } from '#features/messages/web/registries/contact-screens.ts'
import { useConnections } from '#features/tickets/web/choices/choices.ts'
import { query } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { schedules } from '../addresses.ts'
import { ScheduleDialog } from './ScheduleDialog.tsx'
import css from './schedule.module.css'

const ContactChoice = lazyPart(async () => await contactScreens().loadChoice())

/** “Adicionar agendamento”: dialog that schedules a message by channel, contact, text and time, without an open conversation. */
export function NewSchedule({ onDone, onClose }: { onDone: () => void; onClose: () => void }) {
  const [whatsappId, setConnection] = useState<number | null>(null)
  const [contactId, setContact] = useState<number | null>(null)
  const [isAsked, setAsked] = useState(false)
  const offered = (useConnections() ?? []).filter(({ isAllowed }) => isAllowed)
  const { data } = useQuery({
    ...query(schedules.choices, { query: { whatsappId: whatsappId ?? undefined } }),
    enabled: whatsappId !== null,
  })
  const recipientOf = () => {
    setAsked(true)
    return whatsappId === null || contactId === null ? null : { whatsappId, contactId }
  }
  return (
    <ScheduleDialog
      ticketId={null}
      name=""
      subject={{ body: '', onDone }}
      abilities={data?.carried ?? undefined}
      recipientOf={recipientOf}
      onClose={onClose}
    >
      <Select
        label={t('Canal')}
        searchable
        allowDeselect={false}
        data={offered.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={whatsappId === null ? null : String(whatsappId)}
        error={isAsked && whatsappId === null ? t('Escolha o canal.') : undefined}
        onChange={(id) => setConnection(id === null ? null : Number(id))}
      />
      <div className={css.contact}>
        <p>{t('Contato')}</p>
        <Suspense>
          <ContactChoice chosen={contactId} onChoose={setContact} />
        </Suspense>
        {isAsked && contactId === null && (
          <p className={css.problem} role="alert">
            {t('Escolha o contato.')}
          </p>
        )}
      </div>
    </ScheduleDialog>
  )
}
