/**
 * New objects as they are when somebody asks for one. The one rule: complete enough for kubectl to accept, small enough to read.
 * @module
 */

/** @param {string} name */
export const newNode = (name) => ({
  apiVersion: "v1", kind: "Node", metadata: { name, labels: { "kubernetes.io/hostname": name } },
  status: { allocatable: { cpu: "4", memory: "16Gi", pods: "110" } },
});

/** @param {string} name @param {string} [node] */
export const newPod = (name, node) => ({
  apiVersion: "v1", kind: "Pod", metadata: { name },
  spec: { ...(node ? { nodeName: node } : {}), containers: [{ name: "app", image: "registry.example/app:1", resources: { requests: { cpu: "1", memory: "1Gi" } } }] },
  ...(node ? { status: { phase: "Running" } } : {}),
});

/** @param {string} name */
export const newBudget = (name) => ({
  apiVersion: "policy/v1", kind: "PodDisruptionBudget", metadata: { name }, spec: { minAvailable: 1, selector: { matchLabels: { app: "web" } } },
});

/** @param {string} name */
export const newPriorityClass = (name) => ({ apiVersion: "scheduling.k8s.io/v1", kind: "PriorityClass", metadata: { name }, value: 1000 });

/** @param {string} name */
export const newNamespace = (name) => ({ apiVersion: "v1", kind: "Namespace", metadata: { name } });

/** @param {string} name */
export const newClaim = (name) => ({ apiVersion: "v1", kind: "PersistentVolumeClaim", metadata: { name }, spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "10Gi" } } } });

/** @param {string} name */
export const newVolume = (name) => ({ apiVersion: "v1", kind: "PersistentVolume", metadata: { name }, spec: { accessModes: ["ReadWriteOnce"], capacity: { storage: "10Gi" }, csi: { driver: "ebs.csi.aws.com", volumeHandle: name } } });

/** @param {string} name */
export const newStorageClass = (name) => ({ apiVersion: "storage.k8s.io/v1", kind: "StorageClass", metadata: { name }, provisioner: "ebs.csi.aws.com", volumeBindingMode: "WaitForFirstConsumer" });

/** @param {string} name of the node */
export const newCsiNode = (name) => ({ apiVersion: "storage.k8s.io/v1", kind: "CSINode", metadata: { name }, spec: { drivers: [{ name: "ebs.csi.aws.com", nodeID: name, allocatable: { count: 25 } }] } });

/** @param {string} kind @param {string} stem @param {number} count @param {any} manifest */
export function newGenerator(kind, stem, count, manifest) {
  const { metadata: { name, ...metadata } = { name: stem }, ...rest } = structuredClone(manifest);
  const { kind: _kind, apiVersion: _version, ...template } = { ...rest, ...(Object.keys(metadata).length ? { metadata } : {}) };
  const label = template.metadata?.labels?.["kubernetes.io/hostname"];
  if (label === name) template.metadata.labels["kubernetes.io/hostname"] = `${stem}-{i}`;
  return { generate: { kind, count, name: `${stem}-{i}`, template } };
}

/** @param {any} manifest @param {string} name a copy under another name */
export function copyOf(manifest, name) {
  const copy = structuredClone(manifest);
  const old = copy.metadata?.name;
  copy.metadata = { ...copy.metadata, name };
  for (const field of ["uid", "resourceVersion", "creationTimestamp", "generation", "selfLink", "managedFields"]) delete copy.metadata[field];
  if (copy.metadata.labels?.["kubernetes.io/hostname"] === old) copy.metadata.labels["kubernetes.io/hostname"] = name;
  return copy;
}
