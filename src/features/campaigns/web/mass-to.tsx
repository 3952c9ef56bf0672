import { Button, FileButton, MultiSelect, Textarea } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { hasLines, type MassKind } from '#domain/campaigns/mass.ts'
import { contactScreens } from '#features/messages/web/registries/contact-screens.ts'
import { sentence } from '#web/api.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { choicesOf } from '#web/resource/read-all.ts'
import { plural, t } from '#web/t.ts'
import { emptiedOnClick } from '#web/ui/inputs/emptied-on-click.ts'
import { Notice, Segments } from '#web/ui/inputs/fields.tsx'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import { dispatches } from '../mass-addresses.ts'
import type { NumbersRead } from '../mass-contract.ts'
import css from './campaigns.module.css'
import { listOf, readEntries } from './mass-entries.ts'

const ContactChoice = lazyPart(async () => await contactScreens().loadChoice())

/** Selection of recipients, in one way at a time. */
export type Recipients = {
  readonly way: 'lines' | 'contacts' | 'groups' | 'sets'
  readonly text: string
  readonly contacts: readonly number[]
  readonly groups: readonly string[]
  readonly tags: readonly number[]
  readonly kanban: readonly number[]
}

/** Empty selection of recipients. */
export const NOBODY: Recipients = { way: 'lines', text: '', contacts: [], groups: [], tags: [], kanban: [] }

/** Returns the form fields of a dispatch for the selected recipients. */
export const sentTo = ({ way, text, ...chosen }: Recipients, kind: MassKind) => ({
  lines: way === 'lines' ? readEntries(text, hasLines(kind)) : [],
  contacts: way === 'contacts' ? [...chosen.contacts] : [],
  groups: way === 'groups' ? [...chosen.groups] : [],
  tags: way === 'sets' ? [...chosen.tags] : [],
  kanban: way === 'sets' ? [...chosen.kanban] : [],
})

const none = t('Nenhuma opção com esse nome')

/** Choice of recipients: numbers, contacts, groups of the sending channels, tags and stages. */
export function MassTo(props: {
  kind: MassKind
  sessionIds: readonly number[]
  to: Recipients
  problems: Readonly<Record<string, string>>
  onChange: (change: Partial<Recipients>) => void
}) {
  const { kind, sessionIds, to, problems, onChange } = props
  const toggled = (id: number) =>
    to.contacts.includes(id) ? to.contacts.filter((one) => one !== id) : [...to.contacts, id]
  return (
    <>
      {!hasLines(kind) && (
        <Segments
          label={t('Quem recebe')}
          value={to.way}
          options={[
            { value: 'lines', label: t('Números') },
            { value: 'contacts', label: t('Contatos') },
            ...(kind === 'text' ? [{ value: 'groups' as const, label: t('Grupos') }] : []),
            { value: 'sets', label: t('Por filtro') },
          ]}
          onChange={(way) => onChange({ way })}
        />
      )}
      {to.way === 'lines' && (
        <Lines kind={kind} text={to.text} error={problems['lines']} onChange={(text) => onChange({ text })} />
      )}
      {to.way === 'contacts' && (
        <ContactChoice chosen={to.contacts} onChoose={(id) => onChange({ contacts: toggled(id) })} />
      )}
      {to.way === 'groups' && (
        <Groups
          sessionIds={sessionIds}
          chosen={to.groups}
          error={problems['groups']}
          onChange={(groups) => onChange({ groups })}
        />
      )}
      {to.way === 'sets' && <SetChoice to={to} onChange={onChange} />}
    </>
  )
}

function SetChoice({ to, onChange }: { to: Recipients; onChange: (change: Partial<Recipients>) => void }) {
  const [tags, stages] = [useChoices('tags'), useChoices('stages')]
  return (
    <>
      <ManyChoice
        label={t('Etiquetas')}
        none={none}
        options={tags}
        chosen={to.tags}
        onChange={(chosen) => onChange({ tags: chosen })}
      />
      <ManyChoice
        label={t('Etapas do kanban')}
        none={none}
        options={stages}
        chosen={to.kanban}
        onChange={(kanban) => onChange({ kanban })}
      />
    </>
  )
}

/** Field of numbers, typed, pasted or read from a CSV file. */
function Lines(props: { kind: MassKind; text: string; error?: string | undefined; onChange: (text: string) => void }) {
  const { kind, text, error, onChange } = props
  const [read, setRead] = useState<NumbersRead | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const take = async (file: File | null) => {
    if (!file) return
    setRead(null)
    setProblem(null)
    const form = new FormData()
    form.append('file', file)
    try {
      const answer = await call(dispatches.lines, { body: form }, { long: true, quiet: true })
      setRead(answer)
      onChange(listOf(answer.lines, hasLines(kind)))
    } catch (failure) {
      setProblem(sentence(failure))
    }
  }
  return (
    <>
      <Textarea
        label={hasLines(kind) ? t('Números e variáveis') : t('Números')}
        description={
          hasLines(kind)
            ? t('Uma linha por contato: número,variável 1,variável 2…')
            : t('Um por linha, com DDD. Um número novo vira contato.')
        }
        rows={6}
        value={text}
        error={error}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <FileButton inputProps={emptiedOnClick} accept=".csv,.txt" onChange={(file) => void take(file)}>
        {(button) => (
          <Button {...button} variant="default" className={css.listFile}>
            {t('Ler números de um CSV')}
          </Button>
        )}
      </FileButton>
      {problem && <Notice tone="neg">{problem}</Notice>}
      {read?.isDoubtful && hasLines(kind) && (
        <Notice tone="warn">
          {t('As letras com acento podem ter sido lidas erradas. Confira acima, ou salve o arquivo como CSV UTF-8.')}
        </Notice>
      )}
      {read && <ReadResult read={read} hasValues={hasLines(kind)} />}
    </>
  )
}

/** Result of reading a file: numbers, and each rejected line. */
function ReadResult({ read, hasValues }: { read: NumbersRead; hasValues: boolean }) {
  const { lines, columns, problems, rejected } = read
  return (
    <Notice tone={rejected > 0 ? 'warn' : 'info'}>
      {plural(lines.length, t('número lido'), t('números lidos'))}
      {hasValues &&
        columns.length > 0 &&
        ` · ${columns.map((title, n) => t('{name} é {title}', { name: `{{var${n + 1}}}`, title: title || '—' })).join(', ')}`}
      {rejected > 0 && (
        <ul className={css.leftOut}>
          {problems.slice(0, 5).map(({ line, text }) => (
            <li key={line}>{t('Linha {line}: {text}', { line, text })}</li>
          ))}
          {rejected > 5 && <li>{t('e mais {count}', { count: plural(rejected - 5, t('linha'), t('linhas')) })}</li>}
        </ul>
      )}
    </Notice>
  )
}

/** Choice among the groups that the sending channels are members of. */
function Groups(props: {
  sessionIds: readonly number[]
  chosen: readonly string[]
  error?: string | undefined
  onChange: (keys: string[]) => void
}) {
  const { sessionIds, chosen, error, onChange } = props
  const [search, setSearch] = useState('')
  const { data = [] } = useQuery({
    ...choicesOf(dispatches.groups, (page) => page.groups, { sessionIds: [...sessionIds] }),
    enabled: sessionIds.length > 0,
  })
  return (
    <MultiSelect
      label={t('Grupos')}
      description={
        sessionIds.length === 0
          ? t('Escolha primeiro por onde enviar.')
          : t('A mensagem sai pelo canal que está no grupo.')
      }
      placeholder={t('Adicionar…')}
      disabled={sessionIds.length === 0}
      searchable
      hidePickedOptions
      limit={100}
      searchValue={search}
      onSearchChange={setSearch}
      nothingFoundMessage={search ? t('Nenhum grupo com esse nome') : t('Nenhum grupo nestes canais')}
      error={error}
      data={data.map(({ id, name, sessionName }) => ({
        value: id,
        label: sessionIds.length > 1 ? `${name} · ${sessionName}` : name,
      }))}
      value={[...chosen]}
      onChange={onChange}
    />
  )
}
