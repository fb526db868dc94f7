import type { Deflate, Inflate, RecordingSource } from '@l4desk/recording';

/** Raw DEFLATE, decompression and compression, with the browser's streams. */
export const inflate: Inflate = (bytes) => through(bytes, new DecompressionStream('deflate-raw'));
export const deflate: Deflate = (bytes) => through(bytes, new CompressionStream('deflate-raw'));

async function through(bytes: Uint8Array, stream: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const piped = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream);
  return new Uint8Array(await new Response(piped).arrayBuffer());
}

/** A file that is read piece by piece, on request. */
export function blobSource(blob: Blob): RecordingSource {
  return {
    size: blob.size,
    async read(offset, length) {
      return new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer());
    },
  };
}
