import { Button, Textarea, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { questionOf } from '#domain/ratings/question.ts'
import { startSettingsLive } from '#features/settings/web/index.ts'
import { sentence } from '#web/api.ts'
import { call, mutation, query, queryClient } from '#web/client.ts'
import { viewer } from '#web/session/session.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { onOff, saveChoice } from '#web/ui/feedback/save-choice.ts'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { StarIcon } from '#web/ui/icons.ts'
import { SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { useDraft } from '#web/ui/inputs/use-draft.ts'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { SaveFooter } from '#web/ui/layout/SaveFooter.tsx'
import { useUnknownVariables } from '#web/variables.ts'
import { ratings } from '../addresses.ts'
import type { Rate, RatingTexts } from '../contract.ts'
import { ratingList, ratingTexts } from '../forms.ts'
import { settings } from '../settings.ts'
import css from './ratings.module.css'
import { TimeChoice } from './TimeChoice.tsx'

startSettingsLive('ratings')

const announceSaved = async (title: string, discard: () => void) => {
  await queryClient.invalidateQueries({ queryKey: ['ratings'] })
  discard()
  notify({ tone: 'pos', title })
}

/** Page of the rating settings: options, replies, texts, time. */
export function RatingSettings() {
  const { data, error, refetch } = useQuery(query(ratings.get))
  if (error && !data) return <LoadError text={sentence(error)} retry={() => void refetch()} />
  return (
    <Page>
      <PageHeader
        title={t('Pesquisa de avaliação')}
        facts={t('Notas de 0 a 5, textos e tempo para responder')}
        actions={
          <Button variant="default" leftSection={<StarIcon size={16} />} component={Link} to={'/avaliacoes/listar'}>
            {t('Ver avaliações')}
          </Button>
        }
      />
      {!data && <SkeletonRows kind="card" rows={4} />}
      {data && (
        <div className={css.columns}>
          <Rates saved={data.rating} />
          <Texts
            isAsked={data.ratingStoreUse === 'enabled'}
            saved={{
              ratingStore: data.ratingStore,
              ratingStoreError: data.ratingStoreError,
              ratingStoreAttemp: data.ratingStoreAttemp,
              ratingStoreTime: data.ratingStoreTime,
            }}
          />
        </div>
      )}
    </Page>
  )
}

function Rates({ saved }: { saved: Rate[] }) {
  const draft = useDraft(saved)
  const issues = ratingList.safeParse(draft.value).error?.issues ?? []
  const problem = (rating: number, field: string) =>
    issues.find(({ path }) => path[0] === rating && path[1] === field)?.message
  const unknown = useUnknownVariables(draft.value.map(({ label, message }) => `${label} ${message}`).join('\n'))
  const save = useMutation(mutation(ratings.set, { onSuccess: () => announceSaved(t('Notas salvas'), draft.discard) }))
  const change = (rating: number, part: Partial<Rate>) =>
    draft.set(draft.value.map((row) => (row.rating === rating ? { ...row, ...part } : row)))
  return (
    <Card title={t('Notas')}>
      <ul className={css.rates}>
        {draft.value.map(({ rating, label, message }) => (
          <li key={rating}>
            <b className="g-num">{rating}</b>
            <TextInput
              aria-label={t('Nome da nota {rating}', { rating })}
              maxLength={40}
              value={label}
              error={problem(rating, 'label')}
              onChange={(event) => change(rating, { label: event.currentTarget.value })}
            />
            <TextInput
              aria-label={t('Resposta à nota {rating}', { rating })}
              placeholder={t('Resposta própria (ou o agradecimento)')}
              maxLength={1000}
              value={message}
              error={problem(rating, 'message')}
              onChange={(event) => change(rating, { message: event.currentTarget.value })}
            />
          </li>
        ))}
      </ul>
      <div className={css.question}>
        <span>{t('O que o cliente recebe quando o atendimento é resolvido')}</span>
        <p>{questionOf(draft.value)}</p>
      </div>
      <SaveFooter
        isChanged={draft.isChanged}
        busy={save.isPending}
        onSave={() => issues.length === 0 && save.mutate({ body: draft.value })}
        onDrop={draft.discard}
        problem={issues.length > 0 ? t('Dê um nome a cada nota.') : (unknown ?? undefined)}
      />
    </Card>
  )
}

/** Field of a text for customers. */
function CustomerText(props: {
  field: 'ratingStore' | 'ratingStoreError' | 'ratingStoreAttemp'
  value: string
  problem: string | undefined
  onChange: (text: string) => void
}) {
  const { field, value, problem, onChange } = props
  const unknown = useUnknownVariables(value)
  return (
    <Textarea
      label={t(settings[field].label)}
      description={t(settings[field].effect)}
      autosize
      minRows={2}
      maxRows={8}
      value={value}
      error={problem ?? unknown}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  )
}

const written = ratingTexts.omit({ ratingStoreUse: true })
type Written = Omit<RatingTexts, 'ratingStoreUse'>

function Texts({ isAsked, saved }: { isAsked: boolean; saved: Written }) {
  const draft = useDraft(saved)
  const issues = written.safeParse(draft.value).error?.issues ?? []
  const problem = (field: keyof Written) => issues.find(({ path }) => path[0] === field)?.message
  const save = useMutation(
    mutation(ratings.setTexts, { onSuccess: () => announceSaved(t('Textos da avaliação salvos'), draft.discard) }),
  )
  const change = (part: Partial<Written>) => draft.set({ ...draft.value, ...part })
  const params = { id: viewer().tenantId }
  const choose = (next: boolean) =>
    void saveChoice({
      label: settings.ratingStoreUse.label,
      before: isAsked,
      next,
      labelOf: onOff,
      save: (on) =>
        call(ratings.setTexts, { params, body: { ratingStoreUse: on ? 'enabled' : 'disabled' } }, { quiet: true }),
    })
  const text = (field: 'ratingStore' | 'ratingStoreError' | 'ratingStoreAttemp') => (
    <CustomerText
      field={field}
      value={draft.value[field]}
      problem={problem(field)}
      onChange={(next) => change({ [field]: next })}
    />
  )
  return (
    <Card title={t('Textos e tempo')}>
      <div className={css.fields}>
        <SwitchGroup>
          <SwitchRow
            name={t(settings.ratingStoreUse.label)}
            effect={t(settings.ratingStoreUse.effect)}
            checked={isAsked}
            onChange={choose}
          />
        </SwitchGroup>
        {text('ratingStore')}
        {text('ratingStoreError')}
        {text('ratingStoreAttemp')}
        <TimeChoice
          value={draft.value.ratingStoreTime}
          error={problem('ratingStoreTime')}
          onChange={(ratingStoreTime) => change({ ratingStoreTime })}
        />
      </div>
      <SaveFooter
        isChanged={draft.isChanged}
        busy={save.isPending}
        onSave={() => issues.length === 0 && save.mutate({ params, body: draft.value })}
        onDrop={draft.discard}
        problem={issues[0]?.message}
      />
    </Card>
  )
}
