import { Button, Modal, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Answer } from '#kit/contract.ts'
import { attempt } from '#web/attempt.ts'
import { call, query } from '#web/client.ts'
import { t } from '#web/t.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { pipelineActions } from '../action-addresses.ts'
import type { PipelineAction } from '../actions-contract.ts'
import { opportunities } from '../addresses.ts'
import css from './funnel.module.css'
import { STEPS } from './step-labels.ts'

type Tried = Answer<typeof pipelineActions.simulate>

const OBSTACLES: Readonly<Record<Tried['obstacles'][number], string>> = {
  off: t('A automação está desligada, ou foi ligada depois da entrada.'),
  elsewhere: t('A oportunidade não está nesta etapa.'),
  ended: t('A oportunidade já terminou.'),
  early: t('Ainda não chegou o dia.'),
  hour: t('Está fora do horário da automação.'),
  done: t('Já foi feita nesta entrada.'),
}

/** Dialog that simulates an action on an opportunity. */
export function Simulation({ action, onClose }: { action: PipelineAction; onClose: () => void }) {
  const [chosen, setChosen] = useState<string | null>(null)
  const [search, setSearch] = useState('')
  const [tried, setTried] = useState<Tried | null>(null)
  const { data } = useQuery({
    ...query(opportunities.list, {
      query: { pipelineId: action.pipelineId, limit: 50, ...(search && { searchTerm: search }) },
    }),
    placeholderData: (before) => before,
  })
  const run = async () => {
    const body = { opportunityId: Number(chosen) }
    const answer = await attempt(() =>
      call(pipelineActions.simulate, { params: { id: action.id }, body }, { quiet: true }),
    )
    if (answer) setTried(answer)
  }
  return (
    <Modal opened onClose={onClose} size={480} title={t('Simular “{name}”', { name: action.name })}>
      <p className={css.note}>{t('Mostra o que aconteceria agora. Nada muda e nada é enviado.')}</p>
      <Select
        label={t('Oportunidade')}
        placeholder={t('Busque pelo nome ou contato')}
        searchable
        data-autofocus
        nothingFoundMessage={t('Nenhuma oportunidade com esse nome')}
        data={(data?.data ?? []).map(({ id, name, contact }) => ({
          value: String(id),
          label: `${name} · ${contact.name}`,
        }))}
        value={chosen}
        onSearchChange={setSearch}
        onChange={(next) => {
          setChosen(next)
          setTried(null)
        }}
      />
      <Button mt="md" disabled={chosen === null} onClick={() => void run()}>
        {t('Simular')}
      </Button>
      {tried && <TriedSteps tried={tried} />}
    </Modal>
  )
}

function TriedSteps({ tried }: { tried: Tried }) {
  return (
    <ul className={css.history} aria-label={t('O que aconteceria')}>
      {tried.obstacles.map((one) => (
        <li key={one} className={css.warning}>
          {OBSTACLES[one]}
        </li>
      ))}
      {tried.result === 'stopped' && (
        <li className={css.warning}>{t('Três automações seguidas já trouxeram esta oportunidade: ela para aqui.')}</li>
      )}
      {tried.steps.map(({ step, refusal }, index) => (
        <li key={index}>
          <span className={css.alerts}>
            {STEPS[step.type]}
            <Pill tone={refusal ? 'neg' : 'pos'}>{refusal ? t('Recusado') : t('Aconteceria')}</Pill>
          </span>
          {refusal && <small>{refusal}</small>}
          {step.type === 'message' && <small>{step.message}</small>}
        </li>
      ))}
    </ul>
  )
}
