import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { mayMove } from '#domain/campaigns/states.ts'
import { sentence } from '#web/api.ts'
import { query } from '#web/client.ts'
import { formatDateTime } from '#web/format.ts'
import { useLive } from '#web/resource/use-list.ts'
import { t } from '#web/t.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { BackIcon, BroadcastIcon, PauseIcon, PlayIcon, SkipIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import { Page, PageHeader } from '#web/ui/layout/page.tsx'
import { campaignEvents, campaigns } from '../addresses.ts'
import type { Campaign } from '../contract.ts'
import { AudienceDialog } from './AudienceDialog.tsx'
import { CampaignForm } from './CampaignForm.tsx'
import { CareCard } from './CareCard.tsx'
import css from './campaigns.module.css'
import { moveCampaign, useCampaignCommands } from './commands.ts'
import { STATUSES } from './labels.ts'
import { PhonePreview } from './PhonePreview.tsx'
import { ProgressCard } from './ProgressCard.tsx'
import { Report } from './Report.tsx'
import { RhythmCard } from './RhythmCard.tsx'
import { StartDialog } from './StartDialog.tsx'
import { VariantsCard } from './VariantsCard.tsx'

/** Page of one campaign: progress, number care, recipients with their states, and the message on a phone. */
export function CampaignPage() {
  const { campanhaId } = useParams({ strict: false })
  const id = Number(campanhaId)
  const { data, error, refetch } = useQuery({ ...query(campaigns.get, { params: { id } }), retry: false })
  useLive(campaigns.get.family, [campaignEvents.changed, campaignEvents.progress])
  const [open, setOpen] = useState<'form' | 'audience' | 'start' | null>(null)
  const [shown, setShown] = useState<number | null>(null)
  const previewId = useId()
  const reportId = useId()
  const commands = useCampaignCommands(() => setOpen('form'))
  if (error) return <Page>{<LoadError text={sentence(error)} retry={() => void refetch()} />}</Page>
  if (!data)
    return (
      <Page>
        <SkeletonRows kind="table" />
      </Page>
    )
  const close = () => setOpen(null)
  return (
    <Page wide>
      <PageHeader
        title={data.name}
        facts={
          <span className={css.facts}>
            <Link to={'/campanhas'} className={css.back}>
              <BackIcon size={15} />
              {t('Campanhas')}
            </Link>
            <Pill tone={STATUSES[data.status].tone}>{STATUSES[data.status].label}</Pill>
            {factsOf(data)}
          </span>
        }
        actions={
          <>
            <Actions row={data} open={setOpen} />
            <CommandMenu commands={commands(data)} label={t('Mais ações')} />
          </>
        }
      />
      {data.pauseReason && <Notice tone="warn">{data.pauseReason}</Notice>}
      <div className={css.page}>
        <div className={css.column}>
          <ProgressCard row={data} />
          <div className={css.cards}>
            <RhythmCard row={data} />
            <CareCard row={data} />
          </div>
          <VariantsCard row={data} reportId={reportId} />
          <Report
            row={data}
            onInclude={() => setOpen('audience')}
            onShow={setShown}
            shownIn={previewId}
            cardId={reportId}
          />
        </div>
        <PhonePreview id={previewId} row={data} contactId={shown} />
      </div>
      {open === 'form' && <CampaignForm id={String(id)} onClose={close} />}
      {open === 'audience' && <AudienceDialog row={data} onClose={close} />}
      {open === 'start' && <StartDialog row={data} onClose={close} />}
    </Page>
  )
}

const factsOf = ({ start, sessionName, userName, waitsUntil, status }: Campaign): string =>
  [
    t('Programada para {when}', { when: formatDateTime(start) }),
    sessionName && t('envia por {name}', { name: sessionName }),
    userName && t('criada por {name}', { name: userName }),
    waitsUntil && status === 'processing' && t('continua em {when}', { when: formatDateTime(waitsUntil) }),
  ]
    .filter(Boolean)
    .join(' · ')

/** Buttons of the next steps of a campaign, by its state. */
function Actions({ row, open }: { row: Campaign; open: (what: 'audience' | 'start') => void }) {
  const { id, status } = row
  const pause = (
    <Button leftSection={<PauseIcon size={17} />} onClick={() => void moveCampaign('pause', id, t('Envio pausado'))}>
      {t('Pausar envio')}
    </Button>
  )
  if (mayMove(status, 'edit'))
    return (
      <>
        <Button variant="default" onClick={() => open('audience')}>
          {t('Incluir contatos')}
        </Button>
        <Button
          leftSection={<BroadcastIcon size={17} />}
          disabled={row.contactsCount === 0}
          onClick={() => open('start')}
        >
          {t('Programar envio')}
        </Button>
      </>
    )
  if (status === 'paused')
    return (
      <Button
        leftSection={<PlayIcon size={17} />}
        onClick={() => void moveCampaign('resume', id, t('O envio continua'))}
      >
        {t('Continuar envio')}
      </Button>
    )
  if (status === 'scheduled') return pause
  if (status !== 'processing') return null
  return (
    <>
      <Button
        variant="default"
        leftSection={<SkipIcon size={17} />}
        onClick={() => void moveCampaign('skip', id, t('Mensagem pulada'))}
      >
        {t('Pular mensagem')}
      </Button>
      {pause}
    </>
  )
}
