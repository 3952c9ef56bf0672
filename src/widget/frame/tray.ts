import { useState } from 'preact/hooks'
import { sizeText } from './format.ts'

/** Files that wait to be sent, added by button, paste or drop. */
export type Tray = {
  files: File[]
  problem: string
  add(files: Iterable<File>): void
  remove(file: File): void
  clear(): void
}

/** Returns the tray of the composer; refuses at once files that the server would refuse for their size. */
export function useTray(maxBytes: number): Tray {
  const [files, setFiles] = useState<File[]>([])
  const [problem, setProblem] = useState('')
  return {
    files,
    problem,
    add: (more) => {
      const all = [...more]
      const refused = all.find((file) => file.size > maxBytes)
      setProblem(refused ? `“${refused.name}” passa de ${sizeText(maxBytes)}.` : '')
      setFiles([...files, ...all.filter((file) => file.size <= maxBytes)])
    },
    remove: (file) => setFiles(files.filter((one) => one !== file)),
    clear: () => {
      setFiles([])
      setProblem('')
    },
  }
}
