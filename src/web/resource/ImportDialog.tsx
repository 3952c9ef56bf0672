import { Button, FileButton, Modal } from '@mantine/core'
import { useState } from 'react'
import { firstOf, partBefore } from '#domain/present.ts'
import type { Resource } from '#kit/resource.ts'
import { isApiError, sentence, sentencesIn } from '../api.ts'
import { callAny, queryClient } from '../client.ts'
import { useReferredBy } from '../fields/reference.tsx'
import { formatNumber, timeZone } from '../format.ts'
import { plural, t } from '../t.ts'
import { BusyButton } from '../ui/feedback/BusyButton.tsx'
import { notify } from '../ui/feedback/notify.tsx'
import { ExportIcon, UploadIcon } from '../ui/icons.ts'
import { emptiedOnClick } from '../ui/inputs/emptied-on-click.ts'
import { Notice } from '../ui/inputs/fields.tsx'
import { csv, decodeText, download } from './csv.ts'
import { type Line, type Lines, readLines } from './read-lines.ts'
import css from './resource.module.css'

const mostLines = 5000
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** Stores one line and returns it with its problems, or null; waits when rate-limited. */
async function send({ ops, spec }: Resource, line: Line): Promise<Line | null> {
  for (;;) {
    try {
      await callAny({ ...ops.create, touches: [] }, { body: line.body }, { quiet: true })
      return null
    } catch (error) {
      if (isApiError(error) && error.status === 429) {
        await pause(5000)
        continue
      }
      const details = isApiError(error) && error.status === 400 ? sentencesIn(error.details) : {}
      const first = firstOf(Object.keys(spec.fields))
      return { ...line, errors: Object.keys(details).length > 0 ? details : { [first]: sentence(error) } }
    }
  }
}

/**
 * Dialog that imports a file: shows its contents first, with problems by line; valid lines are stored one by one, and failed
 * ones stay on screen and can be downloaded.
 */
export function ImportDialog({ resource, onClose }: { resource: Resource; onClose: () => void }) {
  const { spec } = resource
  const { file, problem, stored, done, right, wrong, read, take } = useImport(resource, onClose)
  const what = spec.title.toLowerCase()

  return (
    <Modal opened onClose={() => done === null && onClose()} size={640} title={t('Importar {what}', { what })}>
      <div className={css.steps}>
        <p>
          {t('Um arquivo CSV com os nomes dos campos na primeira linha, como o da exportação: {fields}.', {
            fields: Object.values(spec.fields)
              .map(({ label }) => label)
              .join(', '),
          })}
        </p>
        {problem && <Notice tone="neg">{problem}</Notice>}
        {stored > 0 && <Notice tone="info">{t('{count} já entraram.', { count: formatNumber(stored) })}</Notice>}
        {file && <Contents spec={spec} file={file} right={right} wrong={wrong} />}
        <div className={css.footer}>
          {wrong.length > 0 && <WrongLines name={spec.name} header={file?.header ?? []} wrong={wrong} />}
          <FileButton
            inputProps={emptiedOnClick}
            onChange={(chosen) => void read(chosen)}
            accept=".csv,text/csv,text/plain"
          >
            {(button) => (
              <Button {...button} variant="default" leftSection={<UploadIcon size={17} />} disabled={done !== null}>
                {t('Escolher arquivo')}
              </Button>
            )}
          </FileButton>
          {right.length > 0 && (
            <BusyButton
              busy={done !== null}
              doing={t('{done} de {all}', { done: formatNumber(done ?? 0), all: formatNumber(right.length) })}
              onClick={() => void take()}
            >
              {t('Importar {what}', { what: plural(right.length, t('linha'), t('linhas')) })}
            </BusyButton>
          )}
        </div>
      </div>
    </Modal>
  )
}

/** Steps of an import: reading a file, then storing its valid lines. */
function useImport(resource: Resource, onClose: () => void) {
  const { spec, ops } = resource
  const [file, setFile] = useState<Lines | null>(null)
  const [done, setDone] = useState<number | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [stored, setStored] = useState(0)
  const names = useReferredBy(spec.fields)
  const nouns = [spec.singular.toLowerCase(), spec.title.toLowerCase()] as const

  const read = async (chosen: File | null) => {
    if (!chosen) return
    const found = readLines(resource, decodeText(await chosen.arrayBuffer()), names, timeZone())
    setStored(0)
    setFile(null)
    if (found.unknown.length === found.header.length)
      setProblem(t('Nenhuma coluna deste arquivo tem o nome de um campo.'))
    else if (found.lines.length === 0) setProblem(t('Este arquivo não tem linhas.'))
    else if (found.lines.length > mostLines)
      setProblem(t('Importe no máximo {count} linhas por vez.', { count: formatNumber(mostLines) }))
    else {
      setProblem(null)
      setFile(found)
    }
  }
  const isRight = (line: Line) => Object.keys(line.errors).length === 0
  const right = file?.lines.filter(isRight) ?? []
  const wrong = file?.lines.filter((line) => !isRight(line)) ?? []

  const take = async () => {
    if (!file) return
    const left: Line[] = [...wrong]
    for (const [index, line] of right.entries()) {
      setDone(index)
      const refused = await send(resource, line)
      if (refused) left.push(refused)
    }
    const count = right.length - (left.length - wrong.length)
    setDone(null)
    setStored(stored + count)
    void queryClient.invalidateQueries({ queryKey: [ops.list.family] })
    if (left.length === 0) {
      notify({ tone: 'pos', title: t('Arquivo importado'), text: plural(count, ...nouns) })
      return onClose()
    }
    setFile({ ...file, lines: left.sort((a, b) => a.number - b.number) })
  }
  return { file, problem, stored, done, right, wrong, read, take }
}

/** Lines of the file, those with problems first. */
function Contents(props: { spec: Resource['spec']; file: Lines; right: readonly Line[]; wrong: readonly Line[] }) {
  const { spec, file, right, wrong } = props
  return (
    <>
      <p role="status">
        {plural(right.length, t('linha pronta'), t('linhas prontas'))}
        {wrong.length > 0 && `, ${plural(wrong.length, t('linha com erro'), t('linhas com erro'))}`}
        {file.unknown.length > 0 && t('. Colunas sem campo: {names}', { names: file.unknown.join(', ') })}
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
      <ul className={css.preview} aria-label={t('Linhas do arquivo')} tabIndex={0}>
        {[...wrong, ...right].slice(0, 200).map((line) => (
          <li key={line.number}>
            <b>{t('Linha {number}', { number: line.number })}</b>
            {line.cells.filter(Boolean).slice(0, 4).join(' · ')}
            {Object.entries(line.errors).map(([key, error]) => (
              <p key={key}>{`${spec.fields[partBefore(key, '.')]?.label ?? key}: ${error}`}</p>
            ))}
          </li>
        ))}
      </ul>
    </>
  )
}

/** Button that downloads the lines with problems. */
function WrongLines(props: { name: string; header: Lines['header']; wrong: readonly Line[] }) {
  const { name, header, wrong } = props
  const takeAway = () =>
    download(
      `${name}-pendentes.csv`,
      csv(
        header,
        wrong.map(({ cells }) => cells),
      ),
    )
  return (
    <Button variant="default" leftSection={<ExportIcon size={17} />} onClick={takeAway}>
      {t('Baixar as linhas com erro')}
    </Button>
  )
}
