import { Button, Progress } from '@mantine/core'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { sentence } from '#web/api.ts'
import { attempt } from '#web/attempt.ts'
import { call, pages, query, queryClient } from '#web/client.ts'
import { formatDateTime, formatNumber } from '#web/format.ts'
import { download } from '#web/resource/csv.ts'
import { plural, t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { confirm } from '#web/ui/feedback/confirm.tsx'
import { SkeletonRows } from '#web/ui/feedback/skeleton.tsx'
import { LoadError } from '#web/ui/feedback/states.tsx'
import { BackIcon, ExportIcon, UndoIcon } from '#web/ui/icons.ts'
import { Pill } from '#web/ui/identity/badges.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { Card, Page, PageHeader } from '#web/ui/layout/page.tsx'
import { contactImports } from '../../imports-addresses.ts'
import type { ContactImportDetail } from '../../imports-contract.ts'
import { changeText } from '../change-text.ts'
import { ColumnsForm } from './ColumnsForm.tsx'
import css from './imports.module.css'
import { LettersForm } from './LettersForm.tsx'
import { SourceDialog } from './SourceDialog.tsx'
import { stateOf } from './texts.ts'

const lookEveryMs = 700

/** Detail of an import: column uses, its preview or result, and actions to continue or undo. */
export function ImportDetail({ id, onClose }: { id: string; onClose: () => void }) {
  const { data, error, refetch } = useQuery({
    ...query(contactImports.get, { params: { id } }),
    refetchInterval: ({ state }) => (state.data?.status === 'running' ? lookEveryMs : false),
  })
  if (!data)
    return (
      <Page>
        <PageHeader title={t('Importação')} actions={<Back onClose={onClose} />} />
        {error ? (
          <LoadError text={sentence(error)} retry={() => void refetch()} />
        ) : (
          <SkeletonRows kind="card" rows={3} />
        )}
      </Page>
    )
  return <Detail one={data} onClose={onClose} />
}

function Detail({ one, onClose }: { one: ContactImportDetail; onClose: () => void }) {
  const navigate = useNavigate()
  // The result with other columns is known only after a new check.
  const [isChanged, setChanged] = useState(false)
  const [isDeclaring, setDeclaring] = useState(false)
  // Cached lists are from before the import.
  const toContacts = async () => {
    await queryClient.invalidateQueries({ queryKey: ['contacts'] })
    await navigate({ to: '/contatos' })
  }
  const { tone, text } = stateOf(one as never)
  const isRunning = one.status === 'running'
  const isFile = one.kind !== 'contacts' && one.kind !== 'groups'
  const toCome = one.created + one.updated
  const steer = (act: 'cancel' | 'undo') =>
    void attempt(() => call(contactImports[act], { params: { id: one.id }, body: {} }, { quiet: true }))
  const undo = async () => {
    const sure = await confirm({
      title: t('Desfazer esta importação?'),
      text: t('Quem entrou sai, e os campos voltam ao que eram. O que alguém mudou desde então fica como está.'),
      action: t('Desfazer importação'),
    })
    if (sure) steer('undo')
  }
  const takeRejected = () =>
    void attempt(async () => {
      const file = await call(contactImports.rejected, { params: { id: one.id } }, { long: true, quiet: true })
      download(`${one.name}-recusadas.csv`, file as Blob)
    })
  return (
    <Page>
      <PageHeader
        title={one.name}
        facts={`${formatDateTime(one.createdAt)}${one.userName ? ` · ${one.userName}` : ''}`}
        actions={
          <>
            <Back onClose={onClose} />
            {isRunning && (
              <Button variant="default" onClick={() => steer('cancel')}>
                {t('Parar')}
              </Button>
            )}
            {one.mayUndo && (
              <Button variant="default" leftSection={<UndoIcon size={17} />} onClick={() => void undo()}>
                {t('Desfazer…')}
              </Button>
            )}
            {one.phase === 'check' && one.status === 'done' && !isChanged && !one.letters?.isDoubtful && (
              <Button disabled={toCome === 0} onClick={() => setDeclaring(true)}>
                {toCome === 0 ? t('Nada a importar') : t('Importar {count}', { count: contactsText(toCome) })}
              </Button>
            )}
            {one.phase === 'run' && one.status === 'done' && <Button onClick={toContacts}>{t('Ver contatos')}</Button>}
          </>
        }
      />
      {isDeclaring && <SourceDialog id={one.id} count={contactsText(toCome)} onClose={() => setDeclaring(false)} />}
      <div className={css.parts}>
        <Card title={<Pill tone={tone}>{text}</Pill>}>
          <div className={css.way} role="status">
            {one.problem && <Notice tone="neg">{one.problem}</Notice>}
            {isRunning && <Running one={one} />}
            <dl className={css.figures}>
              <Figure name={t('Novos')} value={one.created} />
              <Figure name={t('Alterados')} value={one.updated} />
              <Figure name={t('Iguais')} value={one.unchanged} />
              <Figure name={t('Recusados')} value={one.rejected} />
              <Figure name={isFile ? t('Linhas') : t('Conhecidos pelo canal')} value={one.total} />
            </dl>
            {one.phase === 'undo' && !isRunning && (
              <p>
                {t('{restored} como antes', { restored: contactsText(one.restored) })}
                {one.skipped > 0 &&
                  ` · ${t('{skipped} como alguém deixou desde então', { skipped: contactsText(one.skipped) })}`}
              </p>
            )}
          </div>
        </Card>
        {one.letters && one.phase === 'check' && !isRunning && (
          <LettersForm key={String(one.endedAt)} one={one} letters={one.letters} />
        )}
        {one.rejected > 0 && (
          <Card
            title={t('Linhas recusadas')}
            actions={
              <Button variant="default" leftSection={<ExportIcon size={17} />} onClick={takeRejected}>
                {t('Baixar {count}', { count: plural(one.rejected, t('linha'), t('linhas')) })}
              </Button>
            }
          >
            <ul className={css.rejected}>
              {one.firstRejected.map(({ line, problems }) => (
                <li key={line}>
                  <b>{t('Linha {line}', { line: formatNumber(line) })}</b> {problems.join(' ')}
                </li>
              ))}
              {one.rejected > one.firstRejected.length && (
                <li>
                  {t('e mais {count} no arquivo', { count: formatNumber(one.rejected - one.firstRejected.length) })}
                </li>
              )}
            </ul>
          </Card>
        )}
        {one.phase === 'run' && !isRunning && one.updated > 0 && <Changed id={one.id} />}
        {isFile && one.phase === 'check' && !isRunning && one.columns.length > 0 && (
          <ColumnsForm key={`${one.endedAt}`} one={one} onChanged={setChanged} />
        )}
      </div>
    </Page>
  )
}

/** Contacts that the import changed, with the old values. */
function Changed({ id }: { id: string }) {
  const read = useInfiniteQuery(pages(contactImports.changes, { params: { id }, query: {} }))
  const found = (read.data?.pages ?? []).flatMap(({ contacts }) => contacts)
  if (read.error) return <LoadError text={sentence(read.error)} retry={() => void read.refetch()} />
  if (found.length === 0) return null
  return (
    <Card title={t('O que mudou')}>
      <ul className={css.rejected}>
        {found.map((contact) => (
          <li key={contact.id}>
            <Link to={`/contatos/${contact.id}`}>{contact.name}</Link> {contact.changes.map(changeText).join(' · ')}
          </li>
        ))}
      </ul>
      {read.hasNextPage && (
        <BusyButton
          variant="default"
          busy={read.isFetchingNextPage}
          doing={t('Carregando')}
          onClick={() => void read.fetchNextPage()}
        >
          {t('Mostrar mais')}
        </BusyButton>
      )}
    </Card>
  )
}

const Back = ({ onClose }: { onClose: () => void }) => (
  <Button variant="default" leftSection={<BackIcon size={17} />} onClick={onClose}>
    {t('Importações')}
  </Button>
)

const contactsText = (count: number) => plural(count, t('contato'), t('contatos'))

function Figure({ name, value }: { name: string; value: number }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd className="g-num">{formatNumber(value)}</dd>
    </div>
  )
}

function Running({ one }: { one: ContactImportDetail }) {
  const all = one.created + one.updated
  const share = one.phase === 'run' && all > 0 ? (one.done / all) * 100 : 100
  return (
    <div>
      <Progress aria-label={t('Andamento')} value={share} animated />
      <p>
        {one.phase === 'run'
          ? t('{done} de {all}', { done: formatNumber(one.done), all: contactsText(all) })
          : t('{count} até agora; você pode sair desta tela.', {
              count: plural(one.phase === 'check' ? one.total : one.restored + one.skipped, t('linha'), t('linhas')),
            })}
      </p>
    </div>
  )
}
