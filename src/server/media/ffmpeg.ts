import { spawn } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Env } from '../env.ts'

/** Demuxer by MIME type: the format is never guessed, so that no file can be a playlist of others. */
const DEMUXERS: Readonly<Record<string, string>> = {
  'audio/aac': 'aac',
  'audio/amr': 'amr',
  'audio/flac': 'flac',
  'audio/mpeg': 'mp3',
  'audio/ogg': 'ogg',
  'audio/wav': 'wav',
  'audio/webm': 'matroska',
  'video/webm': 'matroska',
  ...Object.fromEntries(
    ['audio/mp4', 'audio/x-m4a', 'video/mp4', 'video/x-m4v', 'video/3gpp', 'video/quicktime'].map((mime) => [
      mime,
      'mov',
    ]),
  ),
}

/**
 * Limits of a run: a minute of a core, 2 GB of address space, 400 MB on disk; and no network, where the system permits
 * unsharing it.
 */
const LIMITED = `ulimit -t 60; ulimit -v 2000000; ulimit -f 800000
if unshare -rn true 2>/dev/null; then exec unshare -rn "$0" "$@"; fi
exec "$0" "$@"`
const MOST_MS = 120_000

const isProgram = (path: string): boolean => {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

let found: { path: string | null } | undefined

/**
 * Returns the path of FFmpeg, which reads the formats that the product cannot (`FFMPEG_PATH`, or on the path); null without
 * one.
 */
export function transcoderOf({ FFMPEG_PATH }: Pick<Env, 'FFMPEG_PATH'>): string | null {
  if (FFMPEG_PATH) return isProgram(FFMPEG_PATH) ? FFMPEG_PATH : null
  found ??= {
    path:
      (process.env['PATH'] ?? '')
        .split(delimiter)
        .map((folder) => join(folder, 'ffmpeg'))
        .find(isProgram) ?? null,
  }
  return found.path
}

const OUTPUTS = {
  wav: ['-vn', '-map', '0:a:0', '-ac', '1', '-ar', '48000', '-c:a', 'pcm_s16le', '-f', 'wav'],
  mp4: [
    ...['-map', '0:v:0', '-map', '0:a:0?', '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '26'],
    ...['-pix_fmt', 'yuv420p', '-vf', "scale='min(1280,iw)':-2", '-c:a', 'aac', '-b:a', '96k'],
    ...['-movflags', '+faststart', '-f', 'mp4'],
  ],
} as const

/** Transcodes a file of a known type in a sandboxed process with limits; fails if it cannot. */
export async function transcode(
  program: string,
  { mime, from, to }: { mime: string; from: string; to: string },
  into: keyof typeof OUTPUTS,
): Promise<void> {
  const demuxer = DEMUXERS[mime]
  if (!demuxer) throw new Error(`no demuxer for ${mime}`)
  const read = ['-nostdin', '-hide_banner', '-loglevel', 'error', '-y', '-protocol_whitelist', 'file']
  const limited = [program, ...read, '-f', demuxer, '-i', `file:${from}`, '-map_metadata', '-1', ...OUTPUTS[into]]
  const child = spawn('/bin/sh', ['-c', LIMITED, ...limited, `file:${to}`], { stdio: 'ignore', env: {} })
  const timer = setTimeout(() => child.kill('SIGKILL'), MOST_MS)
  await new Promise<void>((resolve, reject) => {
    child.once('error', reject)
    child.once('exit', (code) => (code === 0 ? resolve() : reject(new Error(`ffmpeg ended with ${code}`))))
  }).finally(() => clearTimeout(timer))
}
