import type { HeldBooks } from '@l4desk/feed/core';

/** Settings of a gateway's L4 path; its blocks come from the leading sequencer over NATS (`ROLE=gateway`). */
export interface GatewayFeedSettings extends HeldBooks {
  readonly cluster: ClusterSettings;
}

/** Settings of a process in a cluster. */
export interface ClusterSettings {
  /** `NATS_URL`: `nats://` or `tls://`, with user and password if the server requires them. */
  readonly url: string;
  /** Unique name of this process in the cluster: letters, digits and dashes. */
  readonly id: string;
  /** Number of NATS servers that keep each block (`NATS_REPLICAS`). */
  readonly replicas: number;
}
